# shellcheck shell=bash
# The servers tests run against: a run directory of their own, ports far from scripts/up's, and ctest itself.
# Used by scripts/test and scripts/sanitize.

use_test_run_dir() { # sets run; forgets what a sourced .run/env and the caller say about the other system
    local name
    run=$run/test
    forget_sourced_values
    unset RECRUITING_REDIS_URL RECRUITING_KEY_PEPPER_FILE RECRUITING_ENVIRONMENT RECRUITING_MIGRATIONS_DIR \
        RECRUITING_UP_POSTGRES_PORT RECRUITING_UP_REDIS_PORT
    unset RECRUITING_PUBLIC_URL RECRUITING_PUBLIC_API_DOCS RECRUITING_AUTH_API_CONSOLE "${!RECRUITING_MAIL_@}" "${!RECRUITING_BOOKING_@}" "${!RECRUITING_WEBHOOK_@}"
    for name in RECRUITING_{GATEWAY,AUTH_API,PUBLIC_API}_{LISTEN,ADMIN_LISTEN}; do unset "$name"; done
    export RECRUITING_RUN_DIR=$run RECRUITING_UP_PORT_OFFSET=${RECRUITING_UP_PORT_OFFSET:-10000}
    export RECRUITING_UP_POSTGRES_IN_MEMORY=1
    servers_started=
    # Two runs in one run directory would stop each other's servers.
    mkdir -p "$run"
    exec 7>"$run/lock"
    if ! flock -n 7; then
        printf 'Waiting for another test run that uses %s (set another RECRUITING_RUN_DIR to run both).\n' "$run"
        flock 7
    fi
}

# A run that was killed may have left servers, or data of an unknown state.
begin_afresh() { # RUN_DIRECTORY
    RECRUITING_RUN_DIR=$1 "$root/scripts/down" --erase >/dev/null
    servers_started=1
    find "$1/log" -type f ! -name 'build.log*' ! -name packages.log ! -name npm.log -delete 2>/dev/null || true
}

# Integration tests have a PostgreSQL and a Redis to themselves: they set the roles' passwords and stop at nothing,
# and a role belongs to the whole server, the running programs' database included.
start_test_stores() {
    local postgres redis password
    begin_afresh "$run/stores"
    RECRUITING_RUN_DIR=$run/stores RECRUITING_UP_PACKAGES=skip run_child "$root/scripts/up" --quiet --stores
    postgres=$(<"$run/stores/state/listen.postgres")
    redis=$(<"$run/stores/state/listen.redis")
    password=$(<"$run/stores/secrets/postgres_superuser")
    export RECRUITING_TEST_DATABASE_URL=postgresql://postgres:$password@$postgres/postgres
    export RECRUITING_TEST_REDIS_URL=redis://$redis
}

# One client makes the whole run's requests: the shared gateway must not stop it at 600. The suite tests the real
# rate limit with a gateway of its own.
start_test_system() {
    begin_afresh "$run"
    RECRUITING_GATEWAY_RATE_LIMIT=${RECRUITING_GATEWAY_RATE_LIMIT:-1000000000} \
        RECRUITING_GATEWAY_PUBLIC_RATE_LIMIT=${RECRUITING_GATEWAY_PUBLIC_RATE_LIMIT:-1000000000} \
        RECRUITING_WEBHOOK_WINDOW=200ms RECRUITING_WEBHOOK_RETRY_FIRST=300ms \
        RECRUITING_UP_PACKAGES=skip run_child "$root/scripts/up" --quiet
}

stop_test_servers() { # for the EXIT trap too
    local directory
    [ -n "${servers_started:-}" ] || return 0
    servers_started=
    for directory in "$run" "$run/stores"; do
        RECRUITING_RUN_DIR=$directory "$root/scripts/down" --erase >/dev/null ||
            warn "scripts/down could not stop everything in $directory"
    done
}

install_node_modules() { # a step: those of tests
    local log=$run/log/npm.log
    step 'Node modules'
    node_modules "$root/tests" "$log" ||
        fail "npm ci failed" "read the log, and check that this machine can reach the npm registry" "$log"
    step_done 'as the lock file says'
}

levels_run() { # BUILD_DIRECTORY LEVEL…: each with its number of tests, in REPLY: a level without tests must be seen
    local dir=$1 level text=''
    shift
    for level; do
        text+="${text:+, }$level $(ctest --test-dir "$dir" -N -L "^$level\$" 2>/dev/null | sed -n 's/^Total Tests: //p')"
    done
    REPLY=$text
}

# Under a sanitizer a finding ends the program: that is what it is for. The first report is the one to read.
stop_at_findings() {
    export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=1:strict_string_checks=1:detect_stack_use_after_return=1}
    export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1:halt_on_error=1}
    export TSAN_OPTIONS=${TSAN_OPTIONS:-halt_on_error=1:second_deadlock_stack=1}
}

run_ctest() { # BUILD_DIRECTORY ARGUMENT…: its status; which tests failed, and why, is the last it prints
    local dir=$1 status=0
    shift
    # Most of a test's time is waiting; tests/CMakeLists.txt says which suites run beside each other.
    run_child ctest --test-dir "$dir" --no-tests=error --parallel $((2 * $(nproc))) "$@" || status=$?
    # The next ctest overwrites its log.
    cp "$dir/Testing/Temporary/LastTest.log" "$run/log/ctest.log" || return 1
    [ "$status" = 0 ] || printf '\n%s\n' "$(python3 -B "$root/scripts/lib/failures.py" "$run/log/ctest.log")"
    return "$status"
}
