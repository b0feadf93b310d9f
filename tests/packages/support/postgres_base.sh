#!/usr/bin/env bash
# A Debian 13 that was upgraded from 12: with the PostgreSQL of both. Made once, kept in FOLDER.
#   postgres_base.sh FOLDER
set -euo pipefail
. "$(dirname "$0")/debian.sh"
umask 022
root=$1/trixie-with-postgresql
mkdir -p "$1"
make_debian trixie "$root"
[ ! -e "$root/.postgresql" ] || exit 0
sed 's/trixie/bookworm/g' "$root/etc/apt/sources.list" >"$root/etc/apt/sources.list.d/bookworm.list"
mkdir -p "$root/etc/postgresql-common"
echo 'create_main_cluster = false' >"$root/etc/postgresql-common/createcluster.conf"
DEBIAN_FRONTEND=noninteractive chroot "$root" sh -c '
    apt-get -q update && apt-get -q -y install --no-install-recommends postgresql-15 postgresql-17 sudo && apt-get clean'
touch "$root/.postgresql"
