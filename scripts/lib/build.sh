# shellcheck shell=bash
# Configures and builds a CMake preset, with progress.

build_jobs() { # parallel compilations in REPLY: one per processor, but 1 GB of memory each
    local processors gigabytes
    processors=$(nproc)
    gigabytes=$(awk '/^MemAvailable:/ { print int($2 / 1000000) }' /proc/meminfo)
    REPLY=$((processors < gigabytes ? processors : gigabytes))
    [ "$REPLY" -ge 1 ] || REPLY=1
}

# Ninja runs cmake again by itself when a CMakeLists.txt changed, but not when a package was installed since.
configure() { # PRESET LOG [OPTION…]
    (cd "$root" && cmake --preset "$1" "${@:3}") </dev/null >"$2" 2>&1 ||
        fail "cmake could not configure the preset $1" \
            "read the log; if the folder was moved or copied: rm -rf 'build/$1'" "$2"
}

build() { # PRESET LOG TARGET…: a step
    local preset=$1 log=$2 dir=$root/build/$1 jobs
    shift 2
    step Build "preset $preset"
    if [ -e "$dir/build.ninja" ] && [ -z "${packages_installed:-}" ]; then : >"$log"; else configure "$preset" "$log"; fi
    build_jobs
    jobs=${RECRUITING_UP_JOBS:-$REPLY}
    begin_child ninja -C "$dir" -j "$jobs" "$@" >>"$log" 2>&1
    watch_build "$child" "$log"
    local status=0
    wait "$child" || status=$?
    child=
    [ "$status" = 0 ] || build_failed "$log"
    step_done "preset $preset in build/$preset/bin"
}

build_failed() { # LOG: the compiler's own messages say more than ninja's last lines
    local errors=$1.errors
    grep -E -A 4 'error: |undefined reference|ninja: error' "$1" | head -n 40 >"$errors" || cp "$1" "$errors"
    fail "the build failed" "fix these errors and run the script again (complete log: $1)" "$errors" 40
}

watch_build() { # PID LOG: shows ninja's progress: each second on a terminal, each half minute elsewhere
    local pid=$1 log=$2 ticks=0 every=300 line
    [ -z "$on_terminal" ] || every=10
    while kill -0 "$pid" 2>/dev/null; do
        sleep 0.1
        ticks=$((ticks + 1))
        [ $((ticks % every)) = 0 ] || continue
        line=$(grep -oE '^\[[0-9]+/[0-9]+\]' "$log" | tail -n 1 || true)
        [ -z "$line" ] || step_progress "$line"
    done
}
