# shellcheck shell=bash
# TLS at the gateway with a certificate of this run directory's own, once `scripts/up --tls` has asked for it:
# remembered in $run/state/tls until --no-tls.

remember_tls() { # on | off | '' (as before)
    case $1 in
    on) : >"$run/state/tls" ;;
    off) rm -f "$run/state/tls" ;;
    esac
}

wants_tls() { [ -e "$run/state/tls" ]; }

make_certificate() { # FOLDER: localhost.pem and localhost.key in it
    mkdir -p "$1"
    cat >"$1/request.cnf" <<'CONFIG'
[req]
prompt = no
distinguished_name = subject
x509_extensions = extensions
[subject]
CN = localhost
[extensions]
subjectAltName = DNS:localhost, IP:127.0.0.1, IP:::1
basicConstraints = critical, CA:TRUE
extendedKeyUsage = serverAuth
CONFIG
    (umask 077 && openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 397 \
        -config "$1/request.cnf" -keyout "$1/localhost.key.new" -out "$1/localhost.pem.new") 2>"$run/log/tls.log" ||
        fail "openssl could not create a certificate" "read the log" "$run/log/tls.log"
    mv "$1/localhost.key.new" "$1/localhost.key"
    mv "$1/localhost.pem.new" "$1/localhost.pem"
}

certificate() { # a step: made when there is none, and again a week before its end
    local folder=$run/tls made=made
    wants_tls || return 0
    step Certificate
    if openssl x509 -in "$folder/localhost.pem" -noout -checkend 604800 >/dev/null 2>&1 && [ -s "$folder/localhost.key" ]; then
        step_done "self-signed, for localhost: $folder/localhost.pem"
        return
    fi
    [ ! -e "$folder/localhost.pem" ] || made='renewed'
    make_certificate "$folder"
    if running gateway; then kill -s HUP "$REPLY"; fi # reads it again
    step_done "$made, self-signed, for localhost: $folder/localhost.pem"
}

tls_settings() { # the gateway's; it runs in the run directory
    wants_tls || return 0
    asked RECRUITING_GATEWAY_TLS_LISTEN
    listen_address gateway-tls gateway 8443 "$REPLY"
    export RECRUITING_GATEWAY_TLS_LISTEN=$REPLY
    export RECRUITING_GATEWAY_TLS_CERTIFICATES=${RECRUITING_GATEWAY_TLS_CERTIFICATES:-tls/localhost.pem:tls/localhost.key}
}

print_tls() { # ORGANIZATION: lines to try
    local authority header
    wants_tls || return 0
    quoted "$run/tls/localhost.pem"
    authority=$REPLY
    quoted "$run/authorization"
    header=@$REPLY
    reachable_address "$RECRUITING_GATEWAY_TLS_LISTEN"
    cat <<TLS


With TLS, by a certificate your browser does not know:
  curl --cacert $authority -H $header https://$REPLY/api/v1/me
  curl --cacert $authority https://$REPLY/api/public/v1/organizations/$1/jobs
TLS
}
