# shellcheck shell=bash
# Sourced. make_debian RELEASE ROOT [PACKAGE,…]: a clean Debian as debootstrap makes it, with what apt needs. Made once.
make_debian() {
    local release=$1 root=$2 include=${3:-} mirror
    [ ! -e "$root/.made" ] || return 0
    # shellcheck disable=SC2016  # apt expands it
    mirror=$(apt-get indextargets --format '$(SITE)' | grep -m1 '/debian/*$')
    rm -rf --one-file-system "$root"
    debootstrap --variant=minbase ${include:+"--include=$include"} "$release" "$root" "$mirror"
    # How this machine reaches its mirror; what is its own (hooks, other roots' keys) stays out.
    apt-config dump | grep -E '^Acquire::(http|https|Check)[:-]' >"$root/etc/apt/apt.conf.d/00mirror" || true
    cp /etc/hosts "$root/etc/hosts"
    rm -f "$root/etc/resolv.conf"
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    : >"$root/etc/machine-id"
    chroot "$root" apt-get -q update
    touch "$root/.made"
}
