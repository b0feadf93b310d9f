# shellcheck shell=bash
# The documentation site, proto-docs as HTML: built by scripts/docs, and by scripts/up where Node is.
# Sourced after lib/common.sh and lib/packages.sh; docs_for_public_api needs run, and lib/process.sh.

docs_site=$root/build/docs
docs_builder=$root/proto-docs/site

docs_modules() { # LOG: what the builder needs, as its lock file says; nothing is done when it is there
    [ ! "$docs_builder/node_modules/.package-lock.json" -nt "$docs_builder/package-lock.json" ] || return 0
    step_progress 'npm ci'
    run_child npm ci --prefix "$docs_builder" --no-audit --no-fund >"$1" 2>&1
}

docs_current() { # is what was built newer than everything it is made of?
    [ -s "$docs_site/index.html" ] || return 1
    [ -z "$(find "$root/proto-docs" "$root/SECURITY.md" "$root/CHANGELOG.md" -path '*/node_modules' -prune -o \
        -newer "$docs_site/index.html" -print -quit 2>/dev/null)" ]
}

build_docs() { # LOG [FOLDER]: a step; fails with what is broken
    local log=$1 folder=${2:-$docs_site}
    step Docs
    docs_modules "$log" || fail "npm ci failed" "read the log; can this machine reach the npm registry?" "$log"
    node "$docs_builder/build.mjs" "$folder" >"$log" 2>&1 || fail "the documentation can't be built" "mend what is named" "$log"
    step_done "$(tail -n 1 "$log"), in ${folder#"$root"/}"
}

# What public-api serves under /docs, unless the caller chose something else. A system runs without it: Node is not
# installed for it, and a build that fails (without the npm registry, say) is told and no more.
docs_for_public_api() { # a step
    local log=$run/log/docs.log
    docs_rebuilt=
    if [ -n "${RECRUITING_PUBLIC_API_DOCS+set}" ] || [ ! -e "$docs_builder/build.mjs" ]; then return 0; fi
    step Docs
    if docs_current; then
        step_done 'unchanged'
    elif ! command -v node >/dev/null || ! command -v npm >/dev/null; then
        step_done 'not built: scripts/docs does it, and installs Node'
    elif docs_modules "$log" && node "$docs_builder/build.mjs" "$docs_site" >"$log" 2>&1; then
        docs_rebuilt=1
        step_done "$(tail -n 1 "$log")"
    else
        step_done "not built: $(tail -n 1 "$log")"
    fi
    serve_docs
}

serve_docs() { # what was built, if anything
    if [ -s "$docs_site/index.html" ]; then export RECRUITING_PUBLIC_API_DOCS=${RECRUITING_PUBLIC_API_DOCS-$docs_site}; fi
}

show_new_docs() { # a public-api that was left running reads what was built meanwhile
    if [ -n "$docs_rebuilt" ] && running public-api; then kill -HUP "$REPLY"; fi
}
