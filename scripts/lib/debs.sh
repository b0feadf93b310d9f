# shellcheck shell=bash
# The Debian packages of the programs, built from the CMake preset package. Sourced after lib/common.sh, packages.sh and
# build.sh.
. "$root/scripts/lib/commit.sh"

# In REPLY: the project's version, with a part that lets an upgrade of Debian be an upgrade of ours. A commit without this
# version's tag sorts before the version (~) and after older commits.
deb_version() {
    local version
    project_version
    version=$REPLY
    [ "$commit_tag" = "v$version" ] && [[ $commit != *+dirty ]] ||
        version+=\~$(date -u -d "@$commit_time" +%Y%m%d%H%M%S).$commit
    release_name
    case $REPLY in
    bookworm) REPLY=$version~deb12 ;;
    trixie) REPLY=$version~deb13 ;;
    esac
}

deb_options() { # DOCS CONSOLE: the preset's variables, in the array `deb_options`; the same commit gives the same bytes
    local version=${RECRUITING_PACKAGE_VERSION:-} commit commit_time commit_tag
    source_commit
    [ -n "$version" ] || { deb_version && version=$REPLY; }
    SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$commit_time}
    export SOURCE_DATE_EPOCH
    release_name
    deb_options=("-DRECRUITING_PACKAGE_VERSION=$version" "-DRECRUITING_PACKAGE_RELEASE=$REPLY"
        "-DRECRUITING_PACKAGE_DATE=$(date -u -R -d "@$SOURCE_DATE_EPOCH")" "-DRECRUITING_PACKAGE_DOCS=$1"
        "-DRECRUITING_PACKAGE_CONSOLE=$2")
    [ -z "${RECRUITING_PACKAGE_MAINTAINER:-}" ] ||
        deb_options+=("-DRECRUITING_PACKAGE_MAINTAINER=$RECRUITING_PACKAGE_MAINTAINER")
}

build_debs() { # FOLDER DOCS CONSOLE: builds all, always the release; the packages are in FOLDER
    local folder=$1 dir=$root/build/package log=$run/log/debs.log
    local packages_installed='' # build configures by itself after an installation, but without deb_options
    deb_options "$2" "$3"
    mkdir -p "$folder" "$run/log"
    configure package "$log" "${deb_options[@]}"
    build package "$log" all package_files
    step Debs
    rm -rf "$dir/debs"
    (cd "$dir" && cpack -G DEB -B "$dir/debs") </dev/null >"$log" 2>&1 || fail "the packages can't be built" "read the log" "$log"
    rm -f "$folder"/*.deb
    mv "$dir/debs"/*.deb "$folder/"
    step_done "$(find "$folder" -name '*.deb' | wc -l) in ${folder#"$root"/}"
}

build_tested_packages() { # what the level packages installs
    local docs='' console=''
    [ ! -s "$root/build/docs/index.html" ] || docs=$root/build/docs
    [ ! -s "$root/build/console/index.html" ] || console=$root/build/console
    export RECRUITING_TEST_PACKAGES_DIR=${run%/test}/packages
    build_debs "$RECRUITING_TEST_PACKAGES_DIR" "$docs" "$console"
}
