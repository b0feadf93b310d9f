# shellcheck shell=bash
# The run directory: where it is, its lock, its secrets, and the file `env` a user sources.

run=${RECRUITING_RUN_DIR:-$root/.run}
absolute_path "$run"
run=$REPLY

open_run_dir() { # makes it, for this user alone, and keeps other scripts out of it until we end
    mkdir -p "$run"
    chmod 700 "$run"
    mkdir -p "$run/log" "$run/state" "$run/secrets"
    exec 9>"$run/state/lock"
    if ! flock -n 9; then
        step_progress "waiting for another script that uses $run"
        flock 9
    fi
}

secret_file() { # NAME BYTES: path of a file of random hexadecimal text, made once, in REPLY
    local file=$run/secrets/$1
    if [ ! -s "$file" ]; then
        random_hex "$2"
        (umask 077 && printf '%s' "$REPLY" >"$file.new")
        mv "$file.new" "$file"
    fi
    REPLY=$file
}

secret() { # NAME BYTES: the text itself in REPLY
    secret_file "$@"
    REPLY=$(<"$REPLY")
}

# A shell that has sourced an `env` carries values of that time. They are not the caller's wishes: forget them, so
# that a stale port or another run directory's database does not reach the programs. What the caller changed
# since, or set himself, stays.
forget_sourced_values() {
    local name line
    while IFS= read -r line; do
        name=${line%%=*}
        case $name in RECRUITING_*) [ "${!name-}" != "${line#*=}" ] || unset "$name" ;; esac
    done <<<"${_RECRUITING_SOURCED:-}"
    unset _RECRUITING_SOURCED RECRUITING_DATABASE_URL RECRUITING_GATEWAY_URL RECRUITING_DEMO_KEY RECRUITING_UP_DIR
}

write_env() { # NAME…: writes $run/env with the present values of these variables
    local name sourced=''
    (umask 077 && : >"$run/env.new")
    {
        printf '# Written by scripts/up. Source it: it puts recruitctl on PATH and sets its variables.\n'
        for name; do
            quoted "${!name}"
            printf 'export %s=%s\n' "$name" "$REPLY"
            sourced+="$name=${!name}"$'\n'
        done
        quoted "$sourced"
        printf '_RECRUITING_SOURCED=%s\nexport _RECRUITING_SOURCED\n' "$REPLY"
        quoted "$bin"
        # shellcheck disable=SC2016  # expanded by the shell that sources it
        printf 'case ":$PATH:" in *:%s:*) ;; *) PATH=%s:$PATH ;; esac\nexport PATH\n' "$REPLY" "$REPLY"
    } >"$run/env.new"
    mv "$run/env.new" "$run/env"
}
