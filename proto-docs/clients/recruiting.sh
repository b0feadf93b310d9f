#!/usr/bin/env bash
# A client of the recruiting API that follows its retry rules. Needs bash 4.4, curl 7.84 and jq.
#
#   recruiting.sh get PATH                       one record or page           get '/jobs?limit=10'
#   recruiting.sh list PATH                      every record, one a line     list '/jobs?status=open'
#   recruiting.sh sync PATH STATE_FILE           what changed since the token in STATE_FILE, and keeps the new token there:
#                                                sync '/candidates?include=applications' candidates.token
#   recruiting.sh invoke KEY PROMPT              the agent's reply; it runs once for a key, however often this is called
#   recruiting.sh resume SESSION PROMPT          goes on in a session
#   recruiting.sh slots JOB STAGE                when an interview can be booked, one a line
#   recruiting.sh book JOB STAGE EMAIL START     asks for an interview
#   recruiting.sh verify ID TIMESTAMP SIGNATURE  the message of a webhook, whose body is on stdin and whose three headers
#                                                webhook-id, … are the arguments, if its signature and time are right
#
# From the environment: RECRUITING_GATEWAY_URL; API_KEY, which is never sent to the public API; RECRUITING_PATIENCE, the
# seconds after which an operation is given up (600); WEBHOOK_SECRETS, separated by spaces.
# Ends with 1 when the agent's run failed, 2 when the request was refused, 3 when it was given up, 4 when its answer was
# lost and it must not be repeated blindly: look first; 5 when the sync token is of no more use: remove the state file,
# sync again, and replace the copy with what that brings.
set -euo pipefail

begin() { # PATIENCE: of an operation
    give_up=$((SECONDS + $1))
}

credential() { # PATH: for the authenticated API only. By a file, for everybody on the machine sees arguments.
    [[ $1 != /api/v1/* ]] || printf 'Authorization: Bearer %s\n' "$API_KEY"
}

send() { # METHOD PATH [CURL ARGUMENT…]: one request, its body on stdin; sets status (000: no answer), retry_after, run and body
    local answer method=$1 path=$2 date at
    shift 2
    answer=$(curl --silent --compressed --connect-timeout 10 --max-time "${RECRUITING_READ_TIMEOUT:-30}" --request "$method" \
        --write-out '\n%{http_code}\t%header{date}\t%header{retry-after}\t%header{idempotency-mismatch}\t%header{correlation-id}' \
        --header @<(credential "$path") "$@" "$RECRUITING_GATEWAY_URL$path") || answer=$'\n000\t\t\t\t'
    body=${answer%$'\n'*}
    answer=${answer##*$'\n'}
    status=${answer%%$'\t'*} answer=${answer#*$'\t'}
    date=${answer%%$'\t'*} answer=${answer#*$'\t'}
    retry_after=${answer%%$'\t'*} answer=${answer#*$'\t'}
    mismatch=${answer%%$'\t'*} run=${answer#*$'\t'}
    # A date is compared with the server's own clock, not with ours.
    if [ -n "$retry_after" ] && [[ $retry_after == *[!0-9]* ]]; then
        at=$(date -d "$retry_after" +%s 2>/dev/null) && date=$(date -d "${date:-now}" +%s 2>/dev/null) || at=
        retry_after=${at:+$((at > date ? at - date : 0))}
    fi
}

pause() { # SECONDS: as long as the answer says, else so long; and up to so long more, so that many clients don't return at once
    local wait
    wait=$(awk -v least="${retry_after:-$1}" -v more="$1" -v seed="$RANDOM" 'BEGIN { srand(seed); printf "%.2f", least + more * rand() }')
    [ $((SECONDS + ${wait%.*})) -le "$give_up" ] || fail 3 "given up: status $status, and it would take ${wait%.*} s more"
    sleep "$wait"
}

fail() { # EXIT_CODE TEXT
    printf '%s\n' "$2" >&2
    exit "$1"
}

until_answered() { # METHOD PATH REQUEST_BODY [CURL ARGUMENT…]: repeats 429 and 503, and what was lost unless `once` is set
    local seconds=1 attempt=1 request=$3 arguments=("${@:4}")
    [ -z "$request" ] || arguments+=(--header 'Content-Type: application/json' --data-binary @-)
    while true; do
        send "$1" "$2" "${arguments[@]}" <<<"$request"
        case $status in
        200) return ;;
        000 | 429 | 503) [ -z "${once:-}" ] || [ "$status" != 000 ] || fail 4 'the answer was lost: look before you ask again' ;;
        5*) if [ -n "${once:-}" ]; then fail 4 "$body"; else fail 2 "$body"; fi ;;
        *)
            jq -e '[.error.details[]?.reason] | any(. == "sync_token_expired" or . == "bad_token")' <<<"$body" &>/dev/null || fail 2 "$body"
            fail "${begins_anew:-2}" "$body"
            ;;
        esac
        [ "$attempt" -lt "${attempts:-1000}" ] || fail 3 "given up: status $status, $attempt attempts"
        pause "$seconds"
        seconds=$((seconds < 32 ? seconds * 2 : 60)) attempt=$((attempt + 1))
    done
}

get() { # PATH
    until_answered GET "/api/v1$1" ''
}

page_of() { # PATH NAME VALUE: a page of 200
    local separator='?'
    [[ $1 != *'?'* ]] || separator='&'
    get "$1${separator}limit=200${2:+&$2=$3}"
}

list() { # PATH
    local cursor='' following
    while true; do
        page_of "$1" "${cursor:+cursor}" "$cursor"
        jq -c '.data[]' <<<"$body"
        following=$(jq -r '.page.nextCursor // ""' <<<"$body")
        [ -n "$following" ] || return 0
        [ "$following" != "$cursor" ] || fail 2 "$1: the cursor does not move"
        cursor=$following
    done
}

sync_changes() { # PATH STATE_FILE: the token is kept only after its records were written out
    local token='' more=true
    [ ! -s "$2" ] || token=$(<"$2")
    while [ "$more" = true ]; do
        begins_anew=5 page_of "$1" syncToken "$token"
        jq -c '.data[]' <<<"$body"
        jq -r .page.syncToken <<<"$body" >"$2.new"
        mv "$2.new" "$2"
        token=$(<"$2") more=$(jq .page.hasMore <<<"$body")
    done
}

print_reply() { # the run in `body`
    case $(jq -r .status <<<"$body") in
    completed) jq -r .reply <<<"$body" ;;
    *) fail 1 "$(jq -r '"\(.error) \(.failedCorrelationId)"' <<<"$body")" ;;
    esac
}

invoke() { # KEY PROMPT: keep the key with the work it belongs to before you call, and a restart gets the same run
    local session
    RECRUITING_READ_TIMEOUT=${RECRUITING_RUN_TIMEOUT:-180} until_answered POST /api/v1/agent/invoke \
        "$(jq -n --arg prompt "$2" '{prompt: $prompt}')" --header "Idempotency-Key: $1"
    [ "$mismatch" != true ] || fail 2 'this key was used for another prompt'
    session="$(jq -r .sessionId <<<"$body")?correlationId=$run" # this run's reply, also when the session was resumed
    while [ "$(jq -r .status <<<"$body")" = in_progress ]; do # poll; never invoke again
        pause 2
        get "/agent/sessions/$session"
        body=$(jq .data <<<"$body")
    done
    print_reply
}

resume() { # SESSION PROMPT: can't have a key, so it is not repeated when its answer is lost. 409 session_busy: poll the
    # session until its status is no longer in_progress, then resume again as a new request.
    once=1 RECRUITING_READ_TIMEOUT=${RECRUITING_RUN_TIMEOUT:-180} until_answered POST /api/v1/agent/invoke \
        "$(jq -n --arg session "$1" --arg prompt "$2" '{prompt: $prompt, sessionId: $session}')"
    print_reply
}

slots() { # JOB STAGE
    local from=''
    while true; do
        until_answered GET "/api/public/v1/scheduling/$1/$2/slots${from:+?from=$from}" ''
        jq -c '.data[]' <<<"$body"
        from=$(jq -r '.page.nextFrom // ""' <<<"$body")
        [ -n "$from" ] || return 0
    done
}

book() { # JOB STAGE EMAIL START: somebody waits in front of a page, so not for long
    once=1 attempts=5 until_answered POST "/api/public/v1/scheduling/$1/$2/bookings" \
        "$(jq -n --arg email "$3" --arg start "$4" '{email: $email, slotStart: $start}')"
}

digest() { # SHA-256 of stdin, as bytes
    printf %b "$(sha256sum | sed 's/ .*//; s/../\\x&/g')"
}

hmac() { # HEX_KEY: HMAC-SHA256 (RFC 2104) of stdin, in base64. Not by openssl: it takes the key as an argument.
    local key inner='' outer='' i
    printf -v key '%-128s' "$1"
    key=${key// /0}
    for ((i = 0; i < 128; i += 2)); do
        printf -v inner '%s\\x%02x' "$inner" $((16#${key:i:2} ^ 0x36))
        printf -v outer '%s\\x%02x' "$outer" $((16#${key:i:2} ^ 0x5c))
    done
    { printf %b "$inner" && cat; } | digest | { printf %b "$outer" && cat; } | digest | base64
}

same() { # A B: looks at every character, so that the time it takes does not tell the first one that differs
    local differ=$((${#1} ^ ${#2})) i a b
    for ((i = 0; i < ${#1}; i++)); do
        printf -v a %d "'${1:i:1}"
        printf -v b %d "'${2:i:1}"
        differ=$((differ | (a ^ b)))
    done
    [ "$differ" = 0 ]
}

verify() { # ID TIMESTAMP SIGNATURES
    local message off=301 secret key expected signature signatures
    message=$(cat && printf .)
    message=${message%.}
    [[ ! $2 =~ ^[0-9]{1,12}$ ]] || off=$(($(date +%s) - 10#$2))
    [ "${off#-}" -le 300 ] || fail 2 'not verified: no timestamp, or one that is more than five minutes off'
    read -ra signatures <<<"$3"
    for secret in $WEBHOOK_SECRETS; do
        key=$(base64 -d <<<"${secret#whsec_}" | od -An -v -tx1 | tr -d ' \n')
        # An empty one would verify what anybody signs; a longer one than these is no secret of a webhook either.
        [[ $secret == whsec_* && ${#key} -ge 48 && ${#key} -le 128 ]] || fail 2 'not the secret of a webhook'
        expected=v1,$(printf '%s.%s.%s' "$1" "$2" "$message" | hmac "$key")
        for signature in "${signatures[@]}"; do
            same "$expected" "$signature" || continue
            printf '%s\n' "$message"
            return
        done
    done
    fail 2 'not verified: no signature is by one of the secrets'
}

main() {
    local patience=${RECRUITING_PATIENCE:-600} command=${1:-}
    begin "$patience"
    case $command:$# in
    get:2) get "$2" && printf '%s\n' "$body" ;;
    list:2) list "$2" ;;
    sync:3) sync_changes "$2" "$3" ;;
    invoke:3) invoke "$2" "$3" ;;
    resume:3) resume "$2" "$3" ;;
    slots:3) slots "$2" "$3" ;;
    book:5) begin $((patience < 90 ? patience : 90)) && book "${@:2}" ;;
    verify:4) verify "${@:2}" ;;
    *) sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "$0" >&2 && exit 2 ;;
    esac
}

main "$@"
