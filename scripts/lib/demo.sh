# shellcheck shell=bash
# The database's contents: migrations, demo data, the demo key; and what a newcomer is told at the end.
# Needs owner_url, bin, run, gateway_url.

recruitctl() { # as the owner of this run directory's database, and with nothing else of the caller's
    (
        keep_settings_of recruitctl
        RECRUITING_DATABASE_URL=$owner_url RECRUITING_MIGRATIONS_DIR=$root/deploy/migrations "$bin/recruitctl" "$@"
    ) </dev/null
}

migrate() { # a step
    step Migrations
    recruitctl migrate >"$run/log/migrate.log" 2>&1 ||
        fail "$(tail -n 1 "$run/log/migrate.log")" "scripts/down --erase deletes all data for a new start" "$run/log/migrate.log"
    step_done "$(tail -n 1 "$run/log/migrate.log")"
}

load_demo() { # a step: once for each database cluster, and again for interview slots that lie ahead
    local file=$run/state/demo.json log=$run/log/demo.log arguments
    step 'Demo data'
    if [ -s "$file" ]; then
        arguments=(--organization "$(jq -r .organization "$file")" --jobs 1 --candidates 0)
    else
        read -ra arguments <<<"${RECRUITING_UP_DEMO:-}"
        step_progress 'loading'
    fi
    recruitctl demo load --json ${arguments[@]+"${arguments[@]}"} >"$file.new" 2>"$log" ||
        fail "recruitctl demo load failed" "read the log; scripts/down --erase deletes all data for a new start" "$log"
    jq -e .organization "$file.new" >/dev/null || fail "recruitctl demo load printed no organization" "read $file.new" "$log"
    mv "$file.new" "$file"
    step_done "organization $(jq -r .organization "$file")"
}

gateway_status() { # KEY: HTTP status of GET /api/v1/me in REPLY. The key travels by standard input, not by `ps`.
    REPLY=$(printf 'header = "Authorization: Bearer %s"\n' "$1" |
        curl --noproxy '*' -sS -K - -o /dev/null -w '%{http_code}' --max-time 10 "$gateway_url/api/v1/me" 2>/dev/null || true)
}

# A step: a test key of the demo organization's admin with scope *, in the variable demo_key; and its header in the file
# authorization, for curl: what stands on a command line is seen by every user of the machine.
demo_key() {
    ensure_demo_key
    (umask 077 && printf 'Authorization: Bearer %s\n' "$demo_key" >"$run/authorization")
}

ensure_demo_key() {
    local file=$run/secrets/demo_key demo=$run/state/demo.json log=$run/log/demo.log name=demo answer
    step 'Demo key'
    if [ -s "$file" ]; then
        demo_key=$(<"$file")
        gateway_status "$demo_key"
        case $REPLY in
        200) step_done 'works' && return ;;
        # The gateway's rate limit says nothing about the key.
        429) step_done 'not tested: the gateway returns 429 at the moment' && return ;;
        esac
        # Names are unique among an organization's active keys.
        name="demo $(date -u +%Y-%m-%dT%H:%M:%SZ)"
    fi
    answer=$(recruitctl key create --organization "$(jq -r .organization "$demo")" --owner "$(jq -r .adminEmail "$demo")" \
        --name "$name" --scope '*' --expires-in 365d --json 2>"$log") ||
        fail "recruitctl key create failed" "read the log; scripts/down --erase deletes all data for a new start" "$log"
    demo_key=$(jq -er .secret <<<"$answer") || fail "recruitctl key create printed no secret" "read the log; scripts/down --erase deletes all data for a new start" "$log"
    (umask 077 && printf '%s' "$demo_key" >"$file")
    gateway_status "$demo_key"
    case $REPLY in
    200 | 429) step_done "created: \"$name\"" ;;
    *) fail "the new key does not work: GET $gateway_url/api/v1/me returned ${REPLY:-no status}" "read the log" "$run/log/auth-api.log" ;;
    esac
}

mail_place() { # where mails go, for people
    case ${RECRUITING_MAIL_URL-} in
    file:*) printf '%s   (one .eml file each)' "${RECRUITING_MAIL_URL#file:}" ;;
    *) printf '%s' "${RECRUITING_MAIL_URL-}" ;;
    esac
}

# A link for the demo's admin, in console_link; "" without a console.
demo_sign_in_link() {
    local demo=$run/state/demo.json
    console_link=
    [ -n "${RECRUITING_AUTH_API_CONSOLE:-}" ] || return 0
    console_link=$(recruitctl member sign-in-link --organization "$(jq -r .organization "$demo")" \
        --email "$(jq -r .adminEmail "$demo")" --url "$RECRUITING_PUBLIC_URL" --expires-in 24h 2>"$run/log/sign_in.log") || console_link=
}

print_booking() { # lines to try; needs job, stage, email and slot
    [ -n "$slot" ] || return 0
    cat <<BOOKING


Book the interview of a candidate, as a careers page does. The response is the same for every address; the result comes by mail:
  curl $gateway_url/api/public/v1/scheduling/$job/$stage/slots
  curl -H 'Content-Type: application/json' -d '{"email":"$email","slotStart":"$slot"}' \\
    $gateway_url/api/public/v1/scheduling/$job/$stage/bookings
BOOKING
}

print_welcome() { # SECONDS
    local demo=$run/state/demo.json slug env job stage email slot down=scripts/down docs=$gateway_url/docs/ console header
    [ -n "${RECRUITING_PUBLIC_API_DOCS:-}" ] || docs='none: scripts/docs builds them'
    console=${console_link:+$console_link   (signs in as the admin, once, within a day)}
    slug=$(jq -r .organization "$demo")
    quoted "$run/env"
    env=$REPLY
    quoted "$run/authorization"
    header=@$REPLY
    if [ "$run" != "$root/.run" ]; then
        quoted "$run"
        down="RECRUITING_RUN_DIR=$REPLY $down"
    fi
    job=$(jq -r '.jobId // ""' "$demo")
    stage=$(jq -r '.stageId // ""' "$demo")
    email=$(jq -r '.candidateEmail // ""' "$demo")
    slot=$(jq -r '.slotStart // ""' "$demo")
    cat <<WELCOME

Running after $1.

  Gateway    $gateway_url   (/api/v1 and /api/public/v1)
  Careers    $gateway_url/careers/$slug   (for a browser)
  Docs       $docs
  Console    ${console:-none: scripts/up builds it where Node is installed}
  Test key   $demo_key   (organization $slug, its admin, scope *)
  Mails      $(mail_place)
  Logs       $run/log

Try:
  curl -H $header $gateway_url/api/v1/me
  curl -H $header '$gateway_url/api/v1/candidates?limit=2'
  curl -H $header -H 'Content-Type: application/json' -H 'Idempotency-Key: try-1' \\
    -d '{"prompt":"Which jobs are open?"}' $gateway_url/api/v1/agent/invoke
  curl $gateway_url/api/public/v1/organizations/$slug/jobs$(print_booking)$(print_tls "$slug")

A company's own site shows its jobs, and lets candidates book an interview, with
  <script src="$gateway_url/widget/v1.js" defer></script>
  <recruiting-jobs organization="$slug"></recruiting-jobs>

Next:
  . $env   # recruitctl on PATH, RECRUITING_GATEWAY_URL, RECRUITING_DEMO_KEY and more
  $down
WELCOME
}
