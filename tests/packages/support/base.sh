#!/usr/bin/env bash
# A clean Debian of this machine's release, as debootstrap makes it, with systemd, and in its package cache all that the
# packages depend on: what is installed later needs no network. Made once, kept in FOLDER.
#   base.sh FOLDER DEB…
set -euo pipefail
. "$(dirname "$0")/debian.sh"
folder=$1
shift
umask 022
release=$(. /etc/os-release && printf '%s' "$VERSION_CODENAME")
root=$folder/$release
mkdir -p "$folder"
make_debian "$release" "$root" systemd-sysv,adduser
# apt itself finds what is missing, and asks the mirror for it.
mkdir -p "$root/debs"
rm -f "$root/debs"/*
cp "$@" "$root/debs/"
DEBIAN_FRONTEND=noninteractive chroot "$root" sh -c '
    download() { apt-get -q -y install --download-only --no-install-recommends /debs/*.deb postgresql redis-server sudo curl jq; }
    download || { apt-get -q update && download; }'
rm -rf "$root/debs"
