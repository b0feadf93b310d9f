# shellcheck shell=bash
# Listening addresses: what the caller asked for, else what this run directory used before, else a free port.
# Used by the scripts that start something. A chosen address is kept in $run/state/listen.NAME.

port_taken() { # PORT: does anything listen on it, on whatever address? Read from the kernel, without connecting.
    local pattern
    pattern=$(printf ': [0-9A-F]+:%04X [0-9A-F]+:0000 0A ' "$1")
    grep -qE "$pattern" /proc/net/tcp /proc/net/tcp6 2>/dev/null
}

free_port() { # DEFAULT: the default or the next free one in steps of ten, below the kernel's own range, in REPLY
    local port=$(($1 + ${RECRUITING_UP_PORT_OFFSET:-0})) tries=0
    while port_taken "$port"; do
        port=$((port + 10))
        tries=$((tries + 1))
        [ "$tries" -lt 200 ] || fail "no free port at or above $1" "stop a program that listens there, or set the port yourself"
    done
    REPLY=$port
}

# listen_address NAME PROCESS DEFAULT_PORT WANTED: host:port in REPLY.
# WANTED is what the caller set, or empty. PROCESS is the program that will listen there.
listen_address() {
    local file=$run/state/listen.$1 process=$2 default=$3 wanted=$4 former=''
    [ ! -s "$file" ] || former=$(<"$file")
    if [ -n "$wanted" ]; then
        [[ $wanted =~ ^(.+):([0-9]+)$ ]] || fail "\"$wanted\" is not an address" "write it as HOST:PORT, such as 127.0.0.1:$default"
        REPLY=$wanted
    elif [ -n "$former" ] && { running "$process" || ! port_taken "${former##*:}"; }; then
        REPLY=$former
    else
        free_port "$default"
        REPLY=127.0.0.1:$REPLY
    fi
    printf '%s\n' "$REPLY" >"$file"
}

declare -A asked_values=()
asked() { # SETTING: what the caller set it to, or empty, in REPLY; not what these scripts have exported since
    [ -n "${asked_values[$1]+known}" ] || asked_values[$1]=${!1-}
    REPLY=${asked_values[$1]}
}

require_free() { # ADDRESS SETTING: before starting a program on it
    if port_taken "${1##*:}"; then
        fail "another process listens on port ${1##*:}" "stop it, or set $2 to another address and run scripts/up again"
    fi
}

reachable_address() { # LISTEN: the address a client uses to reach it, in REPLY
    case $1 in
    0.0.0.0:* | '*:'*) REPLY=127.0.0.1:${1##*:} ;;
    '[::]:'*) REPLY="[::1]:${1##*:}" ;;
    *) REPLY=$1 ;;
    esac
}

# From choosing a port until its program listens, no other scripts/up of this user may choose: the programs share
# ports on purpose (SO_REUSEPORT), so two of them on one port would not even be an error.
hold_ports() { exec 8>"${TMPDIR:-/tmp}/recruiting-ports.$(id -u).lock" && flock 8; }
release_ports() { exec 8>&-; }
