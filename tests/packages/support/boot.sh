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
systemd=(env -i container=recruiting-test PATH=/usr/sbin:/usr/bin:/sbin:/bin
    /lib/systemd/systemd --log-target=console --log-level=warning --show-status=no)
mkdir -p .outer
if mount --make-rprivate / 2>/dev/null && pivot_root . .outer 2>/dev/null; then
    umount -l /.outer
    rmdir /.outer
    mount --make-rshared / # systemd's helpers mount credentials for it in namespaces of their own
    exec "${systemd[@]}"
fi
# Where we are in a chroot ourselves the kernel allows no user namespaces.
rmdir .outer
mkdir -p etc/systemd/system/service.d
printf '[Service]\nPrivateUsers=no\n' >etc/systemd/system/service.d/in_a_chroot.conf
echo 'systemd runs in a chroot here: PrivateUsers= is left out'
mount --make-rshared "$PWD"
exec chroot . "${systemd[@]}"
