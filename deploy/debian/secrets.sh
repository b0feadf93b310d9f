# shellcheck shell=sh
# As a host key of ssh: made once, kept for ever, the same on all hosts of an installation (copy it from the first).
make_secret() { # NAME
    install -d -m 0700 /etc/recruiting/secrets
    [ ! -e "/etc/recruiting/secrets/$1" ] || return 0
    (umask 077 && od -An -v -tx1 -N 32 /dev/urandom | tr -d ' \n' >"/etc/recruiting/secrets/.$1.new")
    # What is there stays: it must be whole, after a crash too.
    if [ "$(wc -c <"/etc/recruiting/secrets/.$1.new")" != 64 ]; then
        echo "can't create /etc/recruiting/secrets/$1: check that /dev/urandom exists" >&2
        return 1
    fi
    sync "/etc/recruiting/secrets/.$1.new"
    # Two packages may be configured at once, by two hands: the first one's stays.
    ln "/etc/recruiting/secrets/.$1.new" "/etc/recruiting/secrets/$1" 2>/dev/null || [ -e "/etc/recruiting/secrets/$1" ]
    rm -f "/etc/recruiting/secrets/.$1.new"
}
# The pepper must be the one of the database's keys, if that can be asked yet; auth-api stays unready otherwise.
compare_secret() { # NAME
    [ "$1" = key-pepper ] && command -v recruitctl >/dev/null || return 0
    answer=$(timeout 10 recruitctl key pepper 2>&1 >/dev/null) || true
    case $answer in *"is not the pepper of"*) printf '%s\n' "$answer" >&2 ;; esac
}
