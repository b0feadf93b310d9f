// A library to preload into a program that only asks what time it is: its wall clock is shifted by the seconds in the file
// FAKETIME_TIMESTAMP_FILE ("+3600"). It needs nothing of the program, so any allocator may ask it while it starts: Redis with
// jemalloc hangs or crashes with libfaketime.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long shift(void) {
    static atomic_long seconds;
    static atomic_long read_at; // ms; the file is read again after 10
    struct timespec now;
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
    long const ms = now.tv_sec * 1000 + now.tv_nsec / 1000000;
    if (ms - read_at < 10) return seconds;
    read_at = ms;
    char const* const path = getenv("FAKETIME_TIMESTAMP_FILE");
    int const file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return seconds;
    char text[32] = "";
    if (read(file, text, sizeof text - 1) > 0) seconds = atol(text);
    close(file);
    return seconds;
}

int clock_gettime(clockid_t clock, struct timespec* out) {
    if (syscall(SYS_clock_gettime, clock, out) != 0) return -1;
    if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) out->tv_sec += shift();
    return 0;
}

int gettimeofday(struct timeval* out, void* zone) {
    (void)zone;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    out->tv_sec = now.tv_sec;
    out->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t* out) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (out) *out = now.tv_sec;
    return now.tv_sec;
}
