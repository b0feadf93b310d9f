#!/usr/bin/env bash
# Holds the Debian LOWER in processes and mounts of its own (postgres_host.mjs) until its standard input ends: PLACE/root
# has it, with what is written above it in PLACE.
#   postgres_host.sh LOWER PLACE
set -euo pipefail
mkdir -p "$2/root" "$2/upper" "$2/work"
# An overlay on an overlay is not allowed everywhere: a copy then.
mount -t overlay overlay -o "lowerdir=$1,upperdir=$2/upper,workdir=$2/work" "$2/root" 2>/dev/null || cp -a "$1/." "$2/root"
cd "$2/root"
mount -t proc proc proc
mount -t tmpfs -o mode=755 tmpfs dev
for node in null zero full random urandom tty; do cp -a "/dev/$node" dev/; done
ln -s /proc/self/fd dev/fd
mkdir dev/shm
mount -t tmpfs -o mode=1777 tmpfs dev/shm
mount -t tmpfs -o mode=755 tmpfs run
echo ready
cat >/dev/null
