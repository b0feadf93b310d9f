#!/usr/bin/env bash
# Boots the Debian in ROOT with its own systemd as process 1: own processes, mounts, host name, cgroups, and a network that
# is only loopback. Called in fresh namespaces (machine.mjs); ROOT is a mount that tells nobody what is mounted below it.
set -euo pipefail
cd "$1"
mount -t proc proc proc
mount -t sysfs -o ro sysfs sys
mount -t tmpfs -o mode=755 tmpfs dev
for node in null zero full random urandom tty; do cp -a "/dev/$node" dev/; done
mkdir dev/pts dev/shm
ln -s /proc/self/fd dev/fd
ln -s pts/ptmx dev/ptmx
mount -t devpts -o newinstance,ptmxmode=666 devpts dev/pts
mount -t tmpfs -o mode=1777 tmpfs dev/shm
mount -t tmpfs -o mode=755 tmpfs run
mount -t tmpfs -o mode=1777 tmpfs tmp
mount -t cgroup2 cgroup2 sys/fs/cgroup
ip link set lo up
exec env -i container=recruiting-test PATH=/usr/sbin:/usr/bin:/sbin:/bin \
    chroot . /lib/systemd/systemd --log-target=console --log-level=warning --show-status=no
