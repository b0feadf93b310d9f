# shellcheck shell=bash
# The Debian packages of the programs: built from a CMake preset. Used by scripts/packages and by the level packages of
# scripts/test. Sourced after lib/common.sh, packages.sh and build.sh.

deb_version() { # in REPLY: the project's version, with a part that lets an upgrade of Debian be an upgrade of ours
    local version
    project_version
    version=$REPLY
    release_name
    case $REPLY in
    bookworm) REPLY=$version~deb12 ;;
    trixie) REPLY=$version~deb13 ;;
    esac
}

deb_options() { # [DOCS [CONSOLE]]: the preset's variables, in the array `deb_options`; the same commit gives the same bytes
    local version=${RECRUITING_PACKAGE_VERSION:-}
    [ -n "$version" ] || { deb_version && version=$REPLY; }
    SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || echo 0)}
    export SOURCE_DATE_EPOCH
    release_name
    deb_options=("-DRECRUITING_PACKAGE_VERSION=$version" "-DRECRUITING_PACKAGE_RELEASE=$REPLY"
        "-DRECRUITING_PACKAGE_DATE=$(date -u -R -d "@$SOURCE_DATE_EPOCH")" "-DRECRUITING_PACKAGE_DOCS=${1:-}"
        "-DRECRUITING_PACKAGE_CONSOLE=${2:-}")
    [ -z "${RECRUITING_PACKAGE_MAINTAINER:-}" ] ||
        deb_options+=("-DRECRUITING_PACKAGE_MAINTAINER=$RECRUITING_PACKAGE_MAINTAINER")
}

build_debs() { # PRESET FOLDER [DOCS [CONSOLE]]: a step after the build of everything; the packages are in FOLDER
    local preset=$1 folder=$2 dir=$root/build/$1 log=$run/log/debs.log
    deb_options "${3:-}" "${4:-}"
    mkdir -p "$folder" "$run/log"
    step Debs
    {
        (cd "$root" && cmake --preset "$preset" "${deb_options[@]}") &&
            ninja -C "$dir" package_files &&
            rm -rf "$dir/debs" &&
            (cd "$dir" && cpack -G DEB -B "$dir/debs")
    } </dev/null >"$log" 2>&1 || fail "the packages can't be built" "read the log" "$log"
    rm -f "$folder"/*.deb
    mv "$dir/debs"/*.deb "$folder/"
    step_done "$(find "$folder" -name '*.deb' | wc -l) in ${folder#"$root"/}"
}

build_tested_packages() { # what the level packages installs; always the release, whatever else is tested
    local docs='' console=''
    [ ! -s "$root/build/docs/index.html" ] || docs=$root/build/docs
    [ ! -s "$root/build/console/index.html" ] || console=$root/build/console
    export RECRUITING_TEST_PACKAGES_DIR=${run%/test}/packages
    deb_options "$docs" "$console"
    (cd "$root" && cmake --preset package "${deb_options[@]}") >"$run/log/build_package.log" 2>&1 </dev/null ||
        fail "cmake could not configure the preset package" "read the log" "$run/log/build_package.log"
    build package "$run/log/build_package.log" all
    build_debs package "$RECRUITING_TEST_PACKAGES_DIR" "$docs" "$console"
}
