# shellcheck shell=bash
# The servers tests run against: a run directory of their own, ports far from scripts/up's, and ctest itself.
# Used by scripts/test and scripts/sanitize.

use_test_run_dir() { # sets run; forgets what a sourced .run/env and the caller say about the other system
    local name
    run=$run/test
    forget_sourced_values
    unset RECRUITING_REDIS_URL RECRUITING_KEY_PEPPER_FILE RECRUITING_ENVIRONMENT RECRUITING_MIGRATIONS_DIR \
        RECRUITING_UP_POSTGRES_PORT RECRUITING_UP_REDIS_PORT
    for name in RECRUITING_{GATEWAY,AUTH_API,PUBLIC_API}_{LISTEN,ADMIN_LISTEN}; do unset "$name"; done
    export RECRUITING_RUN_DIR=$run RECRUITING_UP_PORT_OFFSET=${RECRUITING_UP_PORT_OFFSET:-10000}
    servers_started=
}

start_test_servers() { # [--stores]: the whole system, or PostgreSQL and Redis only
    # A run that was killed may have left servers, or data of an unknown state.
    "$root/scripts/down" --erase >/dev/null
    servers_started=1
    # The roles are the server's: the integration tests' databases and the programs the end-to-end tests start share them.
    local role
    mkdir -p "$run/secrets"
    secret_file role_owner 24
    for role in auth public; do
        cp -p "$run/secrets/role_owner" "$run/secrets/role_$role"
    done
    RECRUITING_TEST_ROLE_PASSWORD=$(<"$run/secrets/role_owner")
    export RECRUITING_TEST_ROLE_PASSWORD
    # One client makes the whole run's requests: the shared gateway must not stop it at 600. The suite tests the real
    # ceiling with a gateway of its own.
    RECRUITING_GATEWAY_CEILING=${RECRUITING_GATEWAY_CEILING:-100000} \
        RECRUITING_GATEWAY_PUBLIC_CEILING=${RECRUITING_GATEWAY_PUBLIC_CEILING:-100000} \
        RECRUITING_UP_PACKAGES=skip run_child "$root/scripts/up" --quiet "$@"
    local postgres redis password
    postgres=$(<"$run/state/listen.postgres")
    redis=$(<"$run/state/listen.redis")
    password=$(<"$run/secrets/postgres_superuser")
    export RECRUITING_TEST_DATABASE_URL=postgresql://postgres:$password@$postgres/postgres
    export RECRUITING_TEST_REDIS_URL=redis://$redis
}

stop_test_servers() { # for the EXIT trap too
    [ -n "${servers_started:-}" ] || return 0
    servers_started=
    "$root/scripts/down" --erase >/dev/null || warn "scripts/down could not stop everything in $run"
}

install_node_modules() { # a step: tests/node_modules as the lock file says
    local log=$run/log/npm.log
    step 'Node modules'
    if [ "$root/tests/node_modules/.package-lock.json" -nt "$root/tests/package-lock.json" ]; then
        step_done 'as the lock file says'
        return
    fi
    step_progress 'npm ci'
    run_child npm ci --prefix "$root/tests" --no-audit --no-fund >"$log" 2>&1 ||
        fail "npm ci failed" "read the log; can this machine reach the npm registry?" "$log"
    step_done 'installed'
}

levels_run() { # BUILD_DIRECTORY LEVEL…: each with its number of tests, in REPLY: a level without tests must be seen
    local dir=$1 level text=''
    shift
    for level; do
        text+="${text:+, }$level $(ctest --test-dir "$dir" -N -L "^$level\$" 2>/dev/null | sed -n 's/^Total Tests: //p')"
    done
    REPLY=$text
}

run_ctest() { # BUILD_DIRECTORY ARGUMENT…: its status; its closing summary is the last it prints
    local dir=$1
    shift
    run_child ctest --test-dir "$dir" --output-on-failure --no-tests=error "$@"
}
