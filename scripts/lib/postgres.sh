# shellcheck shell=bash
# A private PostgreSQL of the run directory: TCP on 127.0.0.1 with passwords only, durable (fsync stays on).
# The system's own PostgreSQL, if there is one, is neither used nor touched.

postgres_programs() { # directory of initdb and postgres in REPLY: the data's version, else the newest installed
    local version=''
    [ ! -e "$postgres_data/PG_VERSION" ] || version=$(<"$postgres_data/PG_VERSION")
    if [ -n "$version" ]; then
        REPLY=/usr/lib/postgresql/$version/bin
        [ -x "$REPLY/postgres" ] || fail "the data in $run/postgres needs PostgreSQL $version, which is not installed" \
            "install postgresql-$version, or delete all data with scripts/down --erase"
        return
    fi
    REPLY=$(find /usr/lib/postgresql -path '*/bin/postgres' 2>/dev/null | sort -V | tail -n 1)
    [ -n "$REPLY" ] || fail "the PostgreSQL server is not installed" "apt-get install postgresql"
    REPLY=${REPLY%/postgres}
}

# PostgreSQL refuses to run as root. Then the user `postgres` of Debian's package runs it, and the data must lie
# where that user may go: a clone below /root is closed to it. $run/postgres is a link to the place.
# RECRUITING_UP_POSTGRES_IN_MEMORY=1 (the tests' servers): the data lies in memory, where there is room. Tests make and drop
# hundreds of databases of 600 files each, and ext4 looks at every inode freed within the last minute before it gives one out.
postgres_place() {
    local parent='' place
    postgres_as=()
    postgres_data=$run/postgres
    [ -z "${RECRUITING_UP_POSTGRES_IN_MEMORY:-}" ] || ! has_room_in_memory || parent=/dev/shm
    if [ "$(id -u)" = 0 ]; then
        getent passwd postgres >/dev/null || fail "the user postgres, which runs PostgreSQL, does not exist" \
            "apt-get install postgresql, or run this as an ordinary user"
        postgres_as=(setpriv --reuid=postgres --regid=postgres --init-groups)
        parent=${parent:-/var/tmp}
    fi
    if [ -n "$parent" ] && [ ! -d "$postgres_data/" ]; then
        place=$(mktemp -d "$parent/recruiting-postgres.XXXXXXXX")
        [ "$(id -u)" != 0 ] || chown postgres: "$place"
        ln -sfn "$place" "$postgres_data"
    fi
    postgres_data=$(readlink -m "$postgres_data")
}

has_room_in_memory() { # for two test servers, of about 1 GiB each
    local free
    free=$(df -k --output=avail /dev/shm 2>/dev/null | tail -n 1)
    [ "${free:-0}" -ge 4194304 ]
}

create_cluster() {
    local log=$run/log/postgres.log password
    # Whatever belonged to a former cluster is worth nothing now.
    rm -f "$run/state/demo.json" "$run/secrets/demo_key"
    secret postgres_superuser 24
    password=$REPLY
    # The inner shell makes the pipe the password comes through, because only its maker may open it.
    # shellcheck disable=SC2016  # expanded by that shell
    if ! (cd / && printf '%s\n' "$password" | "${postgres_as[@]}" bash -c 'exec "$@" --pwfile=<(cat <&3)' initdb \
        "$postgres_bin/initdb" -D "$postgres_data" --username=postgres --auth=scram-sha-256 \
        --encoding=UTF8 --locale=C.UTF-8 3<&0 </dev/null) >>"$log" 2>&1; then
        fail "initdb could not create a database cluster" "read the log, and check the free disk space" "$log"
    fi
    "${postgres_as[@]}" tee -a "$postgres_data/postgresql.conf" >/dev/null <<'CONF'

# scripts/lib/postgres.sh: a development server, quick but durable.
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
shared_buffers = 256MB
max_wal_size = 4GB
checkpoint_timeout = 15min
jit = off
random_page_cost = 1.1
log_min_duration_statement = 1000
log_parameter_max_length = 0
log_parameter_max_length_on_error = 0
CONF
}

superuser_psql() { # ARGUMENTS…: psql as superuser
    PGPASSWORD=$postgres_password PGCONNECT_TIMEOUT=5 psql -X -q -v ON_ERROR_STOP=1 \
        "host=127.0.0.1 port=$postgres_port user=postgres dbname=${postgres_database:-postgres}" "$@"
}

postgres_answers() { superuser_psql -c 'select 1' >/dev/null 2>&1; }

# The programs open connections by the core (proto-docs/scaling.md, "Connections"): room for two instances of each, for tests
# and for people.
most_connections() { # in REPLY
    REPLY=$((2 * (8 * $(getconf _NPROCESSORS_ONLN) + 8) + 100))
    [ "$REPLY" -ge 200 ] || REPLY=200
}

# A postmaster that was killed leaves a lock file, and for a moment children that hold its shared memory: a new one
# refuses to start until they have noticed. PostgreSQL itself judges whether the lock file is stale.
launch_postgres() {
    local attempt connections sizes=()
    [[ $postgres_data != /dev/shm/* ]] || sizes=(-c max_wal_size=512MB)
    hold_ports
    listen_address postgres postgres 15432 "${RECRUITING_UP_POSTGRES_PORT:+127.0.0.1:$RECRUITING_UP_POSTGRES_PORT}"
    require_free "$REPLY" RECRUITING_UP_POSTGRES_PORT
    postgres_port=${REPLY##*:}
    most_connections
    connections=$REPLY
    for attempt in {1..10}; do
        start_process postgres / "${postgres_as[@]}" "$postgres_bin/postgres" -D "$postgres_data" \
            -c "port=$postgres_port" -c "max_connections=$connections" -c max_prepared_transactions=8 "${sizes[@]}" # tests prepare some
        if await_process postgres 60 postgres_answers; then
            release_ports
            return
        fi
        ! running postgres || break
        sleep 0.3
    done
    not_started postgres "read the log; if its data is damaged: scripts/down --erase"
}

start_postgres() { # a step; sets postgres_port and postgres_password
    local state=running
    step PostgreSQL
    postgres_place
    postgres_programs
    postgres_bin=$REPLY
    if ! running postgres && [ ! -e "$postgres_data/PG_VERSION" ]; then
        step_progress 'creating a database cluster'
        create_cluster
        state=created
    fi
    secret postgres_superuser 24
    postgres_password=$REPLY
    [ ! -s "$run/state/listen.postgres" ] || postgres_port=$(sed 's/.*://' "$run/state/listen.postgres")
    # One that was just killed may still look alive: what counts is that it answers.
    if ! { running postgres && await_process postgres 10 postgres_answers; }; then
        [ "$state" = created ] || state=started
        launch_postgres
    fi
    running postgres && step_done "version $(<"$postgres_data/PG_VERSION") on 127.0.0.1:$postgres_port ($state, process $REPLY)"
}

database_url() { # USER PASSWORD: in REPLY
    REPLY="postgresql://$1:$2@127.0.0.1:$postgres_port/recruiting"
}

# The three roles of the architecture, able to log in and confined, and the database. Passwords are set each time: the secret
# files are the truth. The statements travel by standard input, because a command line can be read by everybody.
create_roles() {
    local role password
    if ! {
        for role in owner auth public; do
            secret "role_$role" 24
            password=$REPLY
            printf 'do $$ begin create role recruiting_%s; exception when duplicate_object then null; end $$;\n' "$role"
            printf "alter role recruiting_%s login password '%s';\n" "$role" "$password"
        done
        printf "select 'create database recruiting owner recruiting_owner' where not exists (select from pg_database where datname = 'recruiting')\n\\\\gexec\n"
    } | superuser_psql >/dev/null 2>"$run/log/roles.log" ||
        ! postgres_database=recruiting superuser_psql --file "$root/deploy/postgresql/confine_roles.sql" >/dev/null 2>>"$run/log/roles.log"; then
        fail "PostgreSQL's roles and database could not be created" "read the log; scripts/down --erase deletes all data for a new start" "$run/log/roles.log"
    fi
}
