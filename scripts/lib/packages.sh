# shellcheck shell=bash
# The Debian packages each task needs, and their installation.

release_name() { # bookworm or trixie, in REPLY
    REPLY=$(. /etc/os-release 2>/dev/null && printf '%s' "${VERSION_CODENAME:-unknown}")
}

packages_for() { # TASK…: the package names, in the array `packages`
    local boost task zones=(tzdata)
    release_name
    case $REPLY in
    bookworm) boost=1.81 ;;
    # Browsers still name zones by their old names (Asia/Calcutta), which are a package of their own there.
    trixie) boost=1.83 zones+=(tzdata-legacy) ;;
    *)
        fail "this system is not Debian 12 (bookworm) or 13 (trixie), so the package names are unknown" \
            "install a C++20 compiler, CMake, Ninja, Boost >= 1.81, libpq, hiredis, libcurl, OpenSSL, libxml2, ICU >= 72, libsodium, cjose, zlib, Howard Hinnant's date, tzdata, Catch2, PostgreSQL >= 15 and Redis >= 7 yourself, then set RECRUITING_UP_PACKAGES=skip"
        ;;
    esac
    packages=()
    for task; do
        case $task in
        build)
            # cjose's pkg-config file names jansson, which its package does not depend on.
            packages+=(ca-certificates git g++ cmake ninja-build ccache mold pkg-config
                "libboost$boost-dev" "libboost-json$boost-dev"
                libpq-dev libhiredis-dev libcurl4-openssl-dev libssl-dev libxml2-dev libicu-dev libsodium-dev libcjose-dev libjansson-dev zlib1g-dev
                libhowardhinnant-date-dev "${zones[@]}" catch2)
            ;;
        package) packages+=(dpkg-dev file) ;;
        run) packages+=(postgresql redis-server curl jq openssl) ;;
        watching) packages+=(prometheus) ;;
        faults) packages+=(pgbouncer faketime) ;;
        # python3-etcd: Patroni recommends no client of its own for etcd.
        cluster) packages+=(patroni python3-etcd etcd-server haproxy redis-sentinel) ;;
        docs) packages+=(nodejs npm) ;;
        test) packages+=(nodejs npm chromium python3 python3-icalendar) ;;
        # systemd is what the tests boot; lintian reads the packages.
        test_packages) packages+=(dpkg-dev file lintian debootstrap iproute2 curl) ;;
        check) packages+=(clang-format shellcheck python3) ;;
        fuzz) packages+=(clang libclang-rt-dev) ;;
        clang) packages+=(clang) ;;
        tidy) packages+=(clang-tidy) ;;
        esac
    done
}

from_elsewhere() { # PACKAGE: people bring these themselves, and then Debian's may even conflict with theirs
    case $1 in
    nodejs) command -v node ;;
    npm | python3 | chromium) command -v "$1" ;;
    *) false ;;
    esac >/dev/null
}

missing_packages() { # those of `packages` that are not installed, in the array `missing`
    local name installed
    missing=()
    installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${packages[@]}" 2>/dev/null || true)
    for name in "${packages[@]}"; do
        grep -qxF "installed $name" <<<"$installed" || from_elsewhere "$name" || missing+=("$name")
    done
}

# PostgreSQL's, Redis' and other packages start a system service when they are installed. We run private ones, so a
# policy file forbids it for the length of the installation; a policy that is already there is left as it is.
policy=/usr/sbin/policy-rc.d
policy_made=
packages_installed=
forbid_services() {
    [ ! -e "$policy" ] || return 0
    policy_made=1
    as_root sh -c "printf '#!/bin/sh\nexit 101\n' >$policy && chmod 755 $policy"
}
allow_services() {
    [ -n "$policy_made" ] || return 0
    policy_made=
    as_root rm -f "$policy"
}

install_packages() { # LOG TASK…: a step; quick when everything is there
    local log=$1 status=0 command
    shift
    step Packages
    if [ "${RECRUITING_UP_PACKAGES:-}" = skip ]; then
        step_done 'skipped (RECRUITING_UP_PACKAGES=skip)'
        return
    fi
    packages_for "$@"
    missing_packages
    if [ ${#missing[@]} -eq 0 ]; then
        step_done "all ${#packages[@]} installed"
        return
    fi
    command="apt-get install --no-install-recommends ${missing[*]}"
    if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
        fail "packages are missing and sudo is not installed" "run as root: apt-get update && $command"
    fi
    step_progress "installing ${#missing[@]}: ${missing[*]}"
    forbid_services
    # Only the package manager runs as root, and it must never wait for an answer.
    local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3)
    { as_root "${apt[@]}" update && as_root "${apt[@]}" install --no-install-recommends "${missing[@]}"; } \
        </dev/null >"$log" 2>&1 || status=$?
    allow_services
    [ "$status" = 0 ] || fail "apt-get could not install ${missing[*]}" \
        "read the log; then run: apt-get update && $command" "$log"
    packages_installed=1
    step_done "${#missing[@]} installed"
}
