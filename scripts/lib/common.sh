# shellcheck shell=bash
# What every script starts with: where things are, a progress line per step, a failure that names its remedy.
# Sourced first. Uses nothing beyond a minimal Debian.

# One language and one decimal point in what tools print, whatever the caller's locale is.
export LC_ALL=C.UTF-8

# shellcheck disable=SC2034  # read by the scripts that source this
root=$(cd -P "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

now_ms() { # milliseconds since the epoch in REPLY
    REPLY=${EPOCHREALTIME/[.,]/}
    REPLY=$((REPLY / 1000))
}

seconds_since() { # FROM_MS: "12.3 s" in REPLY
    local from=$1 tenths
    now_ms
    tenths=$(((REPLY - from + 50) / 100))
    REPLY="$((tenths / 10)).$((tenths % 10)) s"
}

step_title=''
step_from=0
on_terminal=
[ ! -t 1 ] || on_terminal=1

step() { # TITLE [NOTE]: begins a step; a NOTE is shown at once, for steps that can take minutes
    step_title=$1
    now_ms
    step_from=$REPLY
    if [ -n "$on_terminal" ]; then
        printf '\r\033[K       …  %-12s %s' "$1" "${2:-}"
    elif [ -n "${2:-}" ]; then
        printf '       …  %-12s %s\n' "$1" "$2"
    fi
}

step_progress() { # TEXT: replaces the note on a terminal, a line of its own elsewhere
    if [ -n "$on_terminal" ]; then
        printf '\r\033[K       …  %-12s %s' "$step_title" "$1"
    else
        printf '       …  %-12s %s\n' "$step_title" "$1"
    fi
}

step_done() { # RESULT: ends the step with its time
    seconds_since "$step_from"
    [ -z "$on_terminal" ] || printf '\r\033[K'
    printf '%8s  %-12s %s\n' "$REPLY" "$step_title" "$1"
    step_title=''
}

fail() { # WHAT REMEDY [LOG [LINES]]: says what went wrong, what to do, shows the end of the log, exits 1
    [ -z "$on_terminal" ] || printf '\r\033[K'
    {
        printf '\nFAILED%s: %s\n' "${step_title:+ ($step_title)}" "$1"
        printf '  Remedy: %s\n' "$2"
        if [ -n "${3:-}" ] && [ -s "$3" ]; then
            printf '  The last lines of %s:\n' "$3"
            tail -n "${4:-25}" "$3" | sed 's/^/    | /'
        fi
    } >&2
    exit 1
}

warn() { printf 'warning: %s\n' "$*" >&2; }

unexpected() { # trap for ERR: a bug of a script must not look like silence
    printf '\nFAILED%s: %s:%s: "%s" ended with status %s\n' "${step_title:+ ($step_title)}" \
        "${BASH_SOURCE[1]#"$root"/}" "${BASH_LINENO[0]}" "$BASH_COMMAND" "$1" >&2
}

quoted() { # VALUE: as one word of any POSIX shell, in REPLY
    REPLY="'${1//\'/\'\\\'\'}'"
}

random_hex() { # BYTES: that many random bytes in hexadecimal, in REPLY
    REPLY=$(od -An -v -tx1 -N "$1" /dev/urandom | tr -d ' \n')
}

absolute_path() { # PATH: without the path having to exist, in REPLY
    case $1 in
    /*) REPLY=$1 ;;
    *) REPLY=$PWD/$1 ;;
    esac
}

project_version() { # in REPLY, as CMakeLists.txt has it
    REPLY=$(sed -n 's/^project(recruiting VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
}

as_root() { # COMMAND…: with root's rights
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

# A long command in a session of its own, so that a signal to the script can end it and all it started at once.
child=
run_child() { # COMMAND…: its status
    local status=0
    begin_child "$@"
    wait "$child" || status=$?
    # What it left behind, such as a program a failed test did not stop, ends with it.
    kill -s TERM -- "-$child" 2>/dev/null || true
    child=
    return "$status"
}
begin_child() {
    setsid "$@" </dev/null 7>&- 9>&- &
    child=$!
}
end_child() { # for the EXIT trap
    [ -n "$child" ] || return 0
    kill -s TERM -- "-$child" 2>/dev/null || return 0
    wait "$child" 2>/dev/null || true
    child=
}

node_modules() { # FOLDER LOG: npm ci, unless the folder's modules are newer than its lock file; its status
    [ ! "$1/node_modules/.package-lock.json" -nt "$1/package-lock.json" ] || return 0
    step_progress 'npm ci'
    run_child npm ci --prefix "$1" --no-audit --no-fund >"$2" 2>&1
}
