#!/usr/bin/env bash
# A clean Debian of this machine's release, as debootstrap makes it, with systemd, and in its package cache all that the
# packages depend on: what is installed later needs no network. Made once, kept in FOLDER.
#   base.sh FOLDER DEB…
set -euo pipefail
folder=$1
shift
umask 022
release=$(. /etc/os-release && printf '%s' "$VERSION_CODENAME")
root=$folder/$release
mkdir -p "$folder"
if [ ! -e "$root/.made" ]; then
    # shellcheck disable=SC2016  # apt expands it
    mirror=$(apt-get indextargets --format '$(SITE)' | grep -m1 '/debian/*$')
    rm -rf --one-file-system "$root"
    debootstrap --variant=minbase --include=systemd-sysv,adduser "$release" "$root" "$mirror"
    # How this machine reaches its mirror; what is its own (hooks, other roots' keys) stays out.
    apt-config dump | grep -E '^Acquire::(http|https|Check)[:-]' >"$root/etc/apt/apt.conf.d/00mirror" || true
    cp /etc/hosts "$root/etc/hosts"
    rm -f "$root/etc/resolv.conf"
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    : >"$root/etc/machine-id"
    chroot "$root" apt-get -q update
    touch "$root/.made"
fi
# apt itself finds what is missing, and asks the mirror for it.
mkdir -p "$root/debs"
rm -f "$root/debs"/*
cp "$@" "$root/debs/"
DEBIAN_FRONTEND=noninteractive chroot "$root" sh -c '
    download() { apt-get -q -y install --download-only --no-install-recommends /debs/*.deb postgresql redis-server sudo curl jq; }
    download || { apt-get -q update && download; }'
rm -rf "$root/debs"
