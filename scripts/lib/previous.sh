# shellcheck shell=bash
# The programs of the version before, which the level cluster runs beside those of this one (tests/apart/apart.test.mjs).
# Used by scripts/test, after lib/common.sh and build.sh.

previous_commit() { # [COMMIT]: the one that was named, or the last tag; as a whole hash in REPLY; empty: not in this clone
    local commit=${1:-}
    [ -n "$commit" ] || commit=$(git -C "$root" describe --tags --abbrev=0 'HEAD^' 2>/dev/null || true)
    REPLY=''
    [ -z "$commit" ] || REPLY=$(git -C "$root" rev-parse --verify --quiet "$commit^{commit}" 2>/dev/null || true)
}

previous_skipped=''
build_previous() { # PRESET [COMMIT]: a step; exports PREVIOUS_PROGRAMS, or leaves in previous_skipped why there are none
    local preset=$1 named=${2:-} commit folder log=$run/log/build_previous.log
    unset PREVIOUS_PROGRAMS
    step Previous
    previous_commit "$named"
    commit=$REPLY
    if [ -z "$commit" ]; then
        [ -z "$named" ] || fail "this clone has no commit $named" "git fetch it, or name another one"
        previous_skipped='programs one version apart: no version is tagged in this clone (scripts/test --previous COMMIT)'
        step_done skipped
        return
    fi
    folder=${run%/test}/previous/$commit
    if [ ! -e "$folder/complete" ]; then
        rm -rf "${run%/test}/previous"
        mkdir -p "$folder"
        git -C "$root" archive "$commit" | tar -x -C "$folder"
        : >"$folder/complete"
    fi
    step_done "$commit"
    local root=$folder # of what is built
    build "$preset" "$log" recruiting-gateway recruiting-auth-api recruiting-public-api recruitctl
    export PREVIOUS_PROGRAMS=$folder/build/$preset/bin
}
