#!/usr/bin/env bash
# Run once by the PostgreSQL image, when it makes its data: the three roles with the passwords of the secret files, and
# the database is the owner's. The statements travel by standard input: a command line can be read by everybody.
set -euo pipefail

for role in owner auth public; do
    password=$(<"/run/secrets/$role-password")
    [[ $password =~ ^[0-9a-f]{32,}$ ]] || { echo "the secret $role-password is not hexadecimal" >&2 && exit 1; }
    printf "CREATE ROLE recruiting_%s LOGIN PASSWORD '%s';\n" "$role" "$password"
done | psql -X -q -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB"
psql -X -q -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" \
    -c "ALTER DATABASE \"$POSTGRES_DB\" OWNER TO recruiting_owner"
