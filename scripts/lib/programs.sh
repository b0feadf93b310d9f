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

# Its two listening addresses, in the variables of its settings. May be called again: a chosen port that another process
# has taken since is replaced, and with the gateway's the public URL that follows it.
choose_addresses() { # PROGRAM
    local prefix port listen=_LISTEN admin=_ADMIN_LISTEN
    setting_prefix "$1"
    prefix=$REPLY
    listen=$prefix$listen
    admin=$prefix$admin
    default_port "$1"
    port=$REPLY
    asked "$listen"
    listen_address "$1" "$1" "$port" "$REPLY"
    export "$listen=$REPLY"
    asked "$admin"
    listen_address "$1-admin" "$1" $((port + 1000)) "$REPLY"
    export "$admin=$REPLY"
    [ "$1" = gateway ] || return 0
    asked RECRUITING_PUBLIC_URL
    [ -z "$REPLY" ] || return 0
    reachable_address "$RECRUITING_GATEWAY_LISTEN"
    export RECRUITING_PUBLIC_URL=http://$REPLY
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
    hold_ports
    choose_addresses gateway
    release_ports
    export RECRUITING_MAIL_URL=${RECRUITING_MAIL_URL-file:$run/mail}
    export RECRUITING_MAIL_FROM=${RECRUITING_MAIL_FROM:-no-reply@recruiting.example}
    export RECRUITING_BOOKING_ROOM_URL=${RECRUITING_BOOKING_ROOM_URL-https://meet.recruiting.example/{room\}}
    # Receivers of webhooks on this machine.
    export RECRUITING_WEBHOOK_HTTP=${RECRUITING_WEBHOOK_HTTP-true} RECRUITING_WEBHOOK_PORTS=${RECRUITING_WEBHOOK_PORTS-any}
    export RECRUITING_WEBHOOK_NETWORKS=${RECRUITING_WEBHOOK_NETWORKS-127.0.0.0/8}
    secret role_owner 24
    database_url recruiting_owner "$REPLY"
    owner_url=$REPLY
}

# The gateway's upstreams, once the services' addresses are known; where they tell their health too if it is a port of
# the same host, unless the caller chose other services.
upstream_settings() {
    local service name health listens
    for service in auth-api public-api; do
        setting_prefix "$service"
        name=RECRUITING_GATEWAY_${REPLY#RECRUITING_}
        asked "$name"
        [ -z "$REPLY" ] || continue
        reachable_setting "$service" _LISTEN
        listens=$REPLY
        export "$name=$listens"
        health=${name}_HEALTH
        asked "$health"
        [ -z "$REPLY" ] || continue
        reachable_setting "$service" _ADMIN_LISTEN
        [ "${REPLY%:*}" != "${listens%:*}" ] || export "$health=:${REPLY##*:}"
    done
}

reachable_setting() { # PROGRAM SUFFIX: where a client reaches what that setting says, in REPLY
    setting_prefix "$1"
    local setting=$REPLY$2
    reachable_address "${!setting}"
}

# Of the other programs' settings a program gets only those its own work needs: a change of one must not restart
# all. Names nobody knows are passed on, so that the program can refuse a mistyped one.
keep_settings_of() { # PROGRAM: in a subshell
    local other name prefix
    unset RECRUITING_RUN_DIR RECRUITING_DATABASE_URL RECRUITING_DEMO_KEY RECRUITING_GATEWAY_URL RECRUITING_MIGRATIONS_DIR
    for name in "${!RECRUITING_UP_@}" "${!RECRUITING_TEST_@}"; do unset "$name"; done
    [ "$1" = auth-api ] || for name in "${!RECRUITING_MAIL_@}" "${!RECRUITING_BOOKING_@}" "${!RECRUITING_WEBHOOK_@}"; do unset "$name"; done
    [ "$1" != gateway ] || unset RECRUITING_PUBLIC_URL
    for other in "${programs[@]}"; do
        [ "$other" != "$1" ] || continue
        setting_prefix "$other"
        prefix=$REPLY
        for name in $(compgen -e "${prefix}_" || true); do unset "$name"; done
    done
}

fingerprint() { # PROGRAM: of its binary, its settings and the site that it serves; in REPLY
    REPLY=$({
        sha256sum <"$bin/recruiting-$1"
        case $1 in
        auth-api) cat "${RECRUITING_AUTH_API_CONSOLE:-}/index.html" 2>/dev/null || true ;;
        public-api) stat -c %y "${RECRUITING_PUBLIC_API_DOCS:-}/index.html" 2>/dev/null || true ;; # changes with every page
        esac
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

# May a running program be left alone? Not when its binary or its settings changed, and not when it does not answer:
# one that was just killed may still look alive.
unchanged() { # PROGRAM FINGERPRINT
    running "$1" && [ "$2" = "$(cat "$run/state/$1.fingerprint" 2>/dev/null)" ] && await_process "$1" 10 admin_answers "$1" /healthz
}

launch_program() { # PROGRAM: stops a former one, and starts it on addresses that are free now
    local setting
    stop_process "$1" TERM 40
    addresses_of "$1"
    setting_prefix "$1"
    for setting in "${REPLY}_LISTEN" "${REPLY}_ADMIN_LISTEN" "${REPLY}_TLS_LISTEN"; do
        [ -z "${!setting-}" ] || require_free "${!setting}" "$setting"
    done
    (
        keep_settings_of "$1"
        (umask 077 && env | grep '^RECRUITING_' >"$run/$1.conf") # where recruitctl doctor finds them
        start_process "$1" "$run" "$bin/recruiting-$1"
    )
    await_process "$1" 20 admin_answers "$1" /healthz ||
        not_started "$1" "read the log; a refused setting is named there"
    fingerprint "$1"
    printf '%s\n' "$REPLY" >"$run/state/$1.fingerprint"
}

addresses_of() { # PROGRAM: where it listens and whom it asks
    choose_addresses "$1"
    [ "$1" = gateway ] || return 0
    upstream_settings
    tls_settings
}

# start_program NAME [patient]: a step. With `patient` it waits for readiness; else a program whose dependencies are
# away is fine: it recovers by itself.
start_program() {
    local name=$1 state=running listen=_LISTEN log=$run/log/$1.log limit=5
    [ -z "${2:-}" ] || limit=60
    step "$name"
    [ -x "$bin/recruiting-$name" ] || fail "$bin/recruiting-$name does not exist" "run scripts/up without --only, which builds it"
    hold_ports
    addresses_of "$name"
    fingerprint "$name"
    if ! unchanged "$name" "$REPLY"; then
        state=started
        ! running "$name" || state='restarted: binary or settings changed'
        launch_program "$name"
    fi
    release_ports
    if ! await_process "$name" "$limit" admin_answers "$name" /readyz; then
        if ! running "$name" || [ -n "${2:-}" ]; then fail "$name is not ready" "read the log" "$log"; fi
        state+=', not ready yet: a dependency is unavailable'
    fi
    setting_prefix "$name"
    listen=$REPLY$listen
    running "$name"
    step_done "on ${!listen} ($state, process $REPLY)"
}

# The services write the gateway's address into links. It is chosen before them; where another process takes its port
# while they start, the gateway chooses another one and they start again.
start_programs() {
    local name told=''
    until [ "$told" = "$RECRUITING_PUBLIC_URL" ]; do
        told=$RECRUITING_PUBLIC_URL
        for name in "${programs[@]}"; do start_program "$name" patient; done
    done
}
