# shellcheck shell=bash
# Configures and builds a CMake preset, with progress. Used by scripts/up, test and sanitize.

build_jobs() { # parallel compilations in REPLY: one per processor, but 1 GB of memory each
    local processors gigabytes
    processors=$(nproc)
    gigabytes=$(awk '/^MemAvailable:/ { print int($2 / 1000000) }' /proc/meminfo)
    REPLY=$((processors < gigabytes ? processors : gigabytes))
    [ "$REPLY" -ge 1 ] || REPLY=1
}

build() { # PRESET LOG TARGET…: a step
    local preset=$1 log=$2 dir=$root/build/$1 jobs
    shift 2
    step Build "preset $preset"
    : >"$log"
    if [ ! -e "$dir/build.ninja" ]; then
        ! command -v ccache >/dev/null || export CMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER-ccache}
        (cd "$root" && cmake --preset "$preset") </dev/null >>"$log" 2>&1 ||
            fail "cmake could not configure the preset $preset" \
                "read the log; if the folder was moved or copied: rm -rf 'build/$preset'" "$log"
    fi
    build_jobs
    jobs=${RECRUITING_UP_JOBS:-$REPLY}
    begin_child ninja -C "$dir" -j "$jobs" "$@" >>"$log" 2>&1
    watch_build "$child" "$log"
    local status=0
    wait "$child" || status=$?
    child=
    if [ "$status" != 0 ]; then
        # The compiler's messages matter, not ninja's last progress lines.
        grep -nE 'error|FAILED' "$log" | head -n 10 | sed 's/^/    | /' >&2 || true
        fail "the build stopped" "mend the error above and run this again (the whole output: $log)" "$log"
    fi
    step_done "preset $preset in build/$preset/bin"
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
