# shellcheck shell=bash
# Starts, recognises and stops background processes of one run directory.
# $run/NAME.pid holds the process id; $run/state/NAME.start says which process of that id was meant.

process_start() { # PID: boot id and start time of a live process in REPLY; fails if there is none
    local stat
    # Not $(<FILE): when the file is missing, bash 5.2 leaves the whole script.
    { read -r stat <"/proc/$1/stat"; } 2>/dev/null || return 1
    stat=${stat##*) }
    local fields
    read -ra fields <<<"$stat"
    [ "${fields[0]}" != Z ] || return 1 # a dead child that nobody collected
    REPLY="$(</proc/sys/kernel/random/boot_id) ${fields[19]}"
}

running() { # NAME: is the process we started still there? Its id in REPLY
    local pid
    [ -s "$run/$1.pid" ] && [ -s "$run/state/$1.start" ] || return 1
    pid=$(<"$run/$1.pid")
    process_start "$pid" || return 1
    [ "$REPLY" = "$(<"$run/state/$1.start")" ] || return 1
    REPLY=$pid
}

start_process() { # NAME DIRECTORY COMMAND…: in a session of its own, output appended to $run/log/NAME.log
    local name=$1 directory=$2 log=$run/log/$1.log pid
    shift 2
    if [ -f "$log" ] && [ "$(stat -c %s "$log")" -gt 100000000 ]; then mv "$log" "$log.1"; fi
    (cd "$directory" && exec setsid "$@" </dev/null >>"$log" 2>&1 8>&- 9>&-) &
    pid=$!
    printf '%s\n' "$pid" >"$run/$name.pid"
    if process_start "$pid"; then printf '%s\n' "$REPLY" >"$run/state/$name.start"; else rm -f "$run/state/$name.start"; fi
}

await() { # SECONDS COMMAND…: polls until the command succeeds; fails after that time
    local limit=$1 until
    shift
    now_ms
    until=$((REPLY + limit * 1000))
    until "$@"; do
        now_ms
        [ "$REPLY" -lt "$until" ] || return 1
        sleep 0.05
    done
}

await_process() { # NAME SECONDS COMMAND…: like await, but fails at once when the process ends
    local name=$1
    shift
    # shellcheck disable=SC2317  # called through await
    probe() { ! running "$process_watched" || "$@"; }
    process_watched=$name
    await "$1" probe "${@:2}" && running "$name"
}

not_running() { ! running "$1"; }

stop_process() { # NAME SIGNAL SECONDS: asks, waits, and only then insists
    local pid
    if running "$1"; then
        pid=$REPLY
        kill -s "$2" "$pid" 2>/dev/null || true
        if ! await "$3" not_running "$1"; then
            warn "$1 (process $pid) did not stop within $3 s; killing it"
            kill -s KILL "$pid" 2>/dev/null || true
            await 5 not_running "$1" || fail "$1 (process $pid) can't be stopped" "look at it: ps -fp $pid"
        fi
    fi
    rm -f "$run/$1.pid" "$run/state/$1.start" "$run/state/$1.fingerprint"
}
