# shellcheck shell=bash
# A private Redis of the run directory. It holds window counts only, so nothing of it goes to the disk.

redis_answers() { [ "$(redis-cli -h 127.0.0.1 -p "$redis_port" ping 2>/dev/null)" = PONG ]; }

start_redis() { # a step; sets redis_port
    local state=running
    step Redis
    [ ! -s "$run/state/listen.redis" ] || redis_port=$(sed 's/.*://' "$run/state/listen.redis")
    # One that was just killed may still look alive: what counts is that it answers.
    if ! { running redis && await_process redis 10 redis_answers; }; then
        state=started
        mkdir -p "$run/redis"
        hold_ports
        listen_address redis redis 16379 "${RECRUITING_UP_REDIS_PORT:+127.0.0.1:$RECRUITING_UP_REDIS_PORT}"
        require_free "$REPLY" RECRUITING_UP_REDIS_PORT
        redis_port=${REPLY##*:}
        start_process redis "$run/redis" redis-server --bind 127.0.0.1 --port "$redis_port" --save '' --appendonly no --daemonize no
        await_process redis 15 redis_answers || not_started redis "read the log"
        release_ports
    fi
    running redis && step_done "on 127.0.0.1:$redis_port ($state, process $REPLY)"
}
