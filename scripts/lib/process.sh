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
    # A dead child that nobody collected. While other threads of it end (field 17 counts them), its sockets are open.
    [ "${fields[0]}" != Z ] || [ "${fields[17]}" -gt 1 ] || return 1
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
    touch "$log"
    stat -c %s "$log" >"$run/state/$name.log_start"
    (cd "$directory" && exec setsid "$@" </dev/null >>"$log" 2>&1 8>&- 9>&-) &
    pid=$!
    printf '%s\n' "$pid" >"$run/$name.pid"
    if process_start "$pid"; then printf '%s\n' "$REPLY" >"$run/state/$name.start"; else rm -f "$run/state/$name.start"; fi
}

log_since_start() { # NAME: a file with what the process wrote since its last start, in REPLY
    REPLY=$run/state/$1.log_tail
    tail -c "+$(($(cat "$run/state/$1.log_start" 2>/dev/null || echo 0) + 1))" "$run/log/$1.log" >"$REPLY" 2>/dev/null || true
}

not_started() { # NAME REMEDY: fails, with what it wrote
    log_since_start "$1"
    fail "$1 did not start" "$2 ($run/log/$1.log)" "$REPLY"
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
            await 5 not_running "$1" || fail "$1 (process $pid) can't be stopped" "inspect it: ps -fp $pid"
        fi
    fi
    rm -f "$run/$1.pid" "$run/state/$1.start" "$run/state/$1.fingerprint"
}
