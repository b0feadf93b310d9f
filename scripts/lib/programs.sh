# shellcheck shell=bash
# The three programs: their environment, start, readiness, and whether a running one may be left alone.
# Needs postgres_port, redis_port, bin.

programs=(auth-api public-api gateway)

default_port() { # PROGRAM: in REPLY
    case $1 in gateway) REPLY=8080 ;; auth-api) REPLY=8081 ;; public-api) REPLY=8082 ;; esac
}

setting_prefix() { # PROGRAM: RECRUITING_AUTH_API for auth-api, in REPLY
    REPLY=${1//-/_}
    REPLY=RECRUITING_${REPLY^^}
}

choose_addresses() { # PROGRAM: its two listening addresses, in the variables of its settings
    local prefix port listen=_LISTEN admin=_ADMIN_LISTEN
    setting_prefix "$1"
    prefix=$REPLY
    listen=$prefix$listen
    admin=$prefix$admin
    default_port "$1"
    port=$REPLY
    listen_address "$1" "$1" "$port" "${!listen-}"
    export "$listen=$REPLY"
    listen_address "$1-admin" "$1" $((port + 1000)) "${!admin-}"
    export "$admin=$REPLY"
}

# What every program gets on top of the caller's own RECRUITING_* variables. The caller's win, except for what
# only this run directory can know.
program_settings() { # sets and exports
    export RECRUITING_ENVIRONMENT=${RECRUITING_ENVIRONMENT:-test}
    export RECRUITING_REDIS_URL=${RECRUITING_REDIS_URL:-redis://127.0.0.1:$redis_port}
    secret_file key_pepper 32
    export RECRUITING_KEY_PEPPER_FILE=${RECRUITING_KEY_PEPPER_FILE:-$REPLY}
    secret_file cursor_secret 32
    export RECRUITING_CURSOR_SECRET_FILE=${RECRUITING_CURSOR_SECRET_FILE:-$REPLY}
    local role password
    for role in auth public; do
        secret "role_$role" 24
        password=$REPLY
        database_url "recruiting_$role" "$password"
        case $role in
        auth) export RECRUITING_AUTH_API_DATABASE_URL=${RECRUITING_AUTH_API_DATABASE_URL:-$REPLY} ;;
        public) export RECRUITING_PUBLIC_API_DATABASE_URL=${RECRUITING_PUBLIC_API_DATABASE_URL:-$REPLY} ;;
        esac
    done
    secret role_owner 24
    database_url recruiting_owner "$REPLY"
    owner_url=$REPLY
}

upstream_settings() { # the gateway's upstreams, once the services' addresses are known
    reachable_address "$RECRUITING_AUTH_API_LISTEN"
    export RECRUITING_GATEWAY_AUTH_API=${RECRUITING_GATEWAY_AUTH_API:-$REPLY}
    reachable_address "$RECRUITING_PUBLIC_API_LISTEN"
    export RECRUITING_GATEWAY_PUBLIC_API=${RECRUITING_GATEWAY_PUBLIC_API:-$REPLY}
}

# Of the other programs' settings a program gets only those its own work needs: a change of one must not restart
# all. Names nobody knows are passed on, so that the program can refuse a mistyped one.
keep_settings_of() { # PROGRAM: in a subshell
    local other name prefix
    unset RECRUITING_RUN_DIR RECRUITING_DATABASE_URL RECRUITING_DEMO_KEY RECRUITING_GATEWAY_URL RECRUITING_MIGRATIONS_DIR
    for name in "${!RECRUITING_UP_@}" "${!RECRUITING_TEST_@}"; do unset "$name"; done
    for other in "${programs[@]}"; do
        [ "$other" != "$1" ] || continue
        setting_prefix "$other"
        prefix=$REPLY
        for name in $(compgen -e "${prefix}_" || true); do unset "$name"; done
    done
}

fingerprint() { # PROGRAM: of its binary and settings, in REPLY
    REPLY=$({
        sha256sum <"$bin/recruiting-$1"
        (keep_settings_of "$1" && env -0 | grep -z '^RECRUITING_' | sort -z)
    } | sha256sum)
}

admin_answers() { # PROGRAM PATH
    local admin=_ADMIN_LISTEN
    setting_prefix "$1"
    admin=$REPLY$admin
    reachable_address "${!admin}"
    curl --noproxy '*' -fsS -o /dev/null --max-time 2 "http://$REPLY$2" 2>/dev/null
}

# start_program NAME [patient]: a step. Leaves a running one alone when neither binary nor settings changed.
# With `patient` it waits for readiness; else a program whose dependencies are away is fine: it recovers by itself.
start_program() {
    local name=$1 prefix state=running listen=_LISTEN log=$run/log/$1.log print
    step "$name"
    [ -x "$bin/recruiting-$name" ] || fail "$bin/recruiting-$name is not there" "run scripts/up without --only: it builds"
    hold_ports
    choose_addresses "$name"
    [ "$name" != gateway ] || upstream_settings
    setting_prefix "$name"
    prefix=$REPLY
    fingerprint "$name"
    print=$REPLY
    if ! running "$name" || [ "$print" != "$(cat "$run/state/$name.fingerprint" 2>/dev/null)" ]; then
        state=started
        if running "$name"; then
            state='restarted: binary or settings changed'
            stop_process "$name" TERM 40
        fi
        listen=$prefix$listen
        require_free "${!listen}" "$listen"
        listen=${prefix}_ADMIN_LISTEN
        require_free "${!listen}" "$listen"
        (keep_settings_of "$name" && start_process "$name" "$run" "$bin/recruiting-$name")
        await_process "$name" 20 admin_answers "$name" /healthz ||
            fail "$name did not start" "read the log; a refused setting is named there" "$log"
        printf '%s\n' "$print" >"$run/state/$name.fingerprint"
    fi
    release_ports
    if ! await_process "$name" "$([ -n "${2:-}" ] && echo 60 || echo 5)" admin_answers "$name" /readyz; then
        if ! running "$name" || [ -n "${2:-}" ]; then fail "$name is not ready" "read the log" "$log"; fi
        state+=', not ready yet: a dependency is away'
    fi
    listen=${prefix}_LISTEN
    running "$name"
    step_done "on ${!listen} ($state, process $REPLY)"
}
