# shellcheck shell=bash
# The sites of plain files that the services serve: docs, proto-docs as HTML, by public-api under /docs; console, the
# console's pages, by auth-api under /console. Built by scripts/docs and scripts/console, and by scripts/up where Node is.
# Sourced after lib/common.sh and lib/packages.sh; build_served_site needs run. SITE is docs or console.

site() { # SITE: sets what the others need to know of it
    site_folder=$root/build/$1
    case $1 in
    docs)
        site_title=Docs site_setting=RECRUITING_PUBLIC_API_DOCS site_builder=$root/proto-docs/site
        site_sources=("$root/proto-docs" "$root/SECURITY.md" "$root/CHANGELOG.md")
        ;;
    console)
        site_title=Console site_setting=RECRUITING_AUTH_API_CONSOLE site_builder=$root/services/auth_api/console/web
        site_sources=("$site_builder" "$root/proto-docs/openapi/console.yaml")
        ;;
    esac
}

site_current() { # SITE: is what was built newer than everything it is made of?
    site "$1"
    [ -s "$site_folder/index.html" ] || return 1
    [ -z "$(find "${site_sources[@]}" -path '*/node_modules' -prune -o -path '*/generated' -prune -o \
        -newer "$site_folder/index.html" -print -quit 2>/dev/null)" ]
}

build_site() { # SITE LOG [FOLDER]: a step; fails with what is broken
    site "$1"
    local log=$2 folder=${3:-$site_folder}
    step "$site_title"
    node_modules "$site_builder" "$log" || fail "npm ci failed" "read the log, and check that this machine can reach the npm registry" "$log"
    node "$site_builder/build.mjs" "$folder" >"$log" 2>&1 || fail "$1 can't be built" "fix the errors in the log" "$log"
    step_done "$(tail -n 1 "$log"), in ${folder#"$root"/}"
}

site_command() { # SITE [FOLDER]: the whole of scripts/docs and scripts/console, which define help
    local site=$1 folder
    case ${2:-} in
    -h | --help) help && exit 0 ;;
    -*) fail "unknown argument \"$2\"" "scripts/$site --help" ;;
    esac
    trap 'unexpected $?' ERR
    trap 'end_child; allow_services' EXIT
    absolute_path "${2:-$root/build/$site}"
    folder=$REPLY
    mkdir -p "$(dirname "$folder")" "$root/build/log"
    install_packages "$root/build/log/packages.log" docs
    build_site "$site" "$root/build/log/$site.log" "$folder"
}

# What the service serves, unless the caller chose something else. A system runs without it: Node is not installed for
# it, and a build that fails (without the npm registry, say) is reported and no more.
build_served_site() { # SITE: a step
    site "$1"
    local log=$run/log/$1.log
    if [ -n "${!site_setting+set}" ] || [ ! -e "$site_builder/build.mjs" ]; then return 0; fi
    step "$site_title"
    if site_current "$1"; then
        step_done 'unchanged'
    elif ! command -v node >/dev/null || ! command -v npm >/dev/null; then
        step_done "not built: run scripts/$1, which also installs Node"
    elif node_modules "$site_builder" "$log" && node "$site_builder/build.mjs" "$site_folder" >"$log" 2>&1; then
        step_done "$(tail -n 1 "$log")"
    else
        step_done "not built: $(tail -n 1 "$log")"
    fi
    serve_site "$1"
}

serve_site() { # SITE: what was built, if anything
    site "$1"
    if [ -s "$site_folder/index.html" ]; then export "$site_setting=${!site_setting-$site_folder}"; fi
}
