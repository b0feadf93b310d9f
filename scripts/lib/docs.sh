# shellcheck shell=bash
# The documentation site, proto-docs as HTML: built by scripts/docs, and by scripts/up where Node is.
# Sourced after lib/common.sh and lib/packages.sh.

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
