# shellcheck shell=bash
# The root filesystem of an image: a binary, the libraries it loads, and the few files those read. Run in the build
# stage, whose Debian they all come from. Used by build_steps.

binaries=${RECRUITING_BINARIES:-$root/build/release/bin}
image_user=65532 # "nonroot", as the well-known images without a distribution number it

binary_name() { # PROGRAM: in REPLY
    case $1 in recruitctl) REPLY=recruitctl ;; *) REPLY=recruiting-$1 ;; esac
}

# Libraries that a program loads only when it needs them are unknown to ldd: the name services of glibc.
loaded_later=(libnss_dns.so.2 libnss_files.so.2 libresolv.so.2)

libraries_of() { # BINARY: their paths, one a line
    local library
    ldd "$1" | sed -nE 's/^.*(=>)?[[:space:]](\/[^ ]+) \(0x[0-9a-f]+\)$/\2/p'
    for library in "${loaded_later[@]}"; do ldconfig -p | sed -nE "s/^.*$library .*x86-64.* => //p; s/^.*$library .*AArch64.* => //p"; done
}

copy_file() { # FILE DIR: what it points to, under the name it is asked for; its package's name is noted
    local file=$1 into=$2
    install -D -m "$([ -x "$file" ] && echo 0755 || echo 0644)" "$(readlink -f "$file")" "$into$file"
    dpkg -S "$(readlink -f "$file")" 2>/dev/null | sed 's/[:,].*//' >>"$into.packages" ||
        dpkg -S "*/$(basename "$(readlink -f "$file")")" | sed 's/[:,].*//' | head -n 1 >>"$into.packages"
}

# Scanners read which packages are in an image, and licences ask to come along.
tell_packages() { # DIR
    local name
    mkdir -p "$1/var/lib/dpkg/status.d"
    sort -u "$1.packages" | while read -r name; do
        dpkg-query -s "$name" >"$1/var/lib/dpkg/status.d/$name"
        install -D -m 0644 "$(readlink -f "/usr/share/doc/$name/copyright")" "$1/usr/share/doc/$name/copyright"
    done
    rm "$1.packages"
}

account_files() { # DIR
    mkdir -p "$1/etc" "$1/home/nonroot"
    printf 'root:x:0:0:root:/:/nonexistent\nnonroot:x:%s:%s:nonroot:/home/nonroot:/nonexistent\n' "$image_user" "$image_user" >"$1/etc/passwd"
    printf 'root:x:0:\nnonroot:x:%s:\n' "$image_user" >"$1/etc/group"
    printf 'hosts: files dns\n' >"$1/etc/nsswitch.conf"
    chown "$image_user:$image_user" "$1/home/nonroot"
}

certificate_files() { # DIR: the system's authorities, for OpenSSL and for libcurl
    install -D -m 0644 /etc/ssl/certs/ca-certificates.crt "$1/etc/ssl/certs/ca-certificates.crt"
    install -D -m 0644 /etc/ssl/openssl.cnf "$1/etc/ssl/openssl.cnf"
    mkdir -p "$1/usr/lib/ssl"
    ln -s /etc/ssl/certs/ca-certificates.crt "$1/usr/lib/ssl/cert.pem"
    ln -s /etc/ssl/certs "$1/usr/lib/ssl/certs"
    ln -s /etc/ssl/openssl.cnf "$1/usr/lib/ssl/openssl.cnf"
    printf 'ca-certificates\n' >>"$1.packages"
}

zone_files() { # DIR
    local name
    mkdir -p "$1/usr/share"
    cp -a /usr/share/zoneinfo "$1/usr/share/"
    rm -rf "$1/usr/share/zoneinfo/posix" "$1/usr/share/zoneinfo/right"
    for name in tzdata tzdata-legacy; do
        if dpkg-query -s "$name" >/dev/null 2>&1; then printf '%s\n' "$name" >>"$1.packages"; fi
    done
}

program_files() { # PROGRAM DIR: what only this one has
    case $1 in
    gateway) ;; # it formats no local time
    auth-api | public-api) zone_files "$2" ;;
    recruitctl)
        zone_files "$2"
        mkdir -p "$2/usr/share/recruiting"
        cp -r "$root/deploy/migrations" "$2/usr/share/recruiting/migrations"
        ;;
    esac
}

image_root() { # PROGRAM DIR
    local program=$1 into=$2 binary library
    binary_name "$program"
    binary=$REPLY
    rm -rf "$into" "$into.packages"
    # Debian's links /lib -> usr/lib: a library is found under either name.
    mkdir -p "$into/usr/bin" "$into/usr/lib" "$into/usr/lib64"
    install -d -m 1777 "$into/tmp"
    for library in lib lib64; do ln -s "usr/$library" "$into/$library"; done
    install -m 0755 -s "$binaries/$binary" "$into/usr/bin/$binary"
    while read -r library; do copy_file "$library" "$into"; done < <(libraries_of "$binaries/$binary")
    account_files "$into"
    certificate_files "$into"
    program_files "$program" "$into"
    tell_packages "$into"
    # A library that is missing is told now, not by the first container.
    chroot "$into" "/usr/bin/$binary" --version
}
