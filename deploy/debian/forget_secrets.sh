# shellcheck shell=sh
# A secret goes with the last package that uses it: whose configuration is still there still uses it.
forget_secret() { # NAME CONF…
    secret=/etc/recruiting/secrets/$1
    shift
    for conf; do [ ! -e "/etc/recruiting/$conf" ] || return 0; done
    rm -f "$secret"
}
forget_secret key-pepper auth-api.conf recruitctl.conf
forget_secret cursor-secret auth-api.conf public-api.conf
for folder in /etc/recruiting/secrets /etc/recruiting; do
    [ ! -d "$folder" ] || rmdir --ignore-fail-on-non-empty "$folder"
done
