#include "core/log_writer.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <condition_variable>
#include <csignal>
#include <fcntl.h>
#include <mutex>
#include <poll.h>
#include <pthread.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace recruiting::log {
namespace {

// Lines of this long are written together: under load one write serves many requests, and none of them has to wake the
// thread.
constexpr std::chrono::milliseconds gather_for{5};
constexpr std::size_t gathered_enough = 64 * 1024;

std::uint64_t count_lines(std::string_view lines) {
    return static_cast<std::uint64_t>(std::count(lines.begin(), lines.end(), '\n'));
}

bool is_pipe(int descriptor) {
    struct stat status {};
    return ::fstat(descriptor, &status) == 0 && S_ISFIFO(status.st_mode);
}

// A pipe takes up to PIPE_BUF bytes as one (POSIX write(2)): lines of other processes on the same pipe then stay apart.
std::string_view piece_for_pipe(std::string_view lines) {
    if (lines.size() <= PIPE_BUF) return lines;
    auto const last = lines.substr(0, PIPE_BUF).rfind('\n');
    auto const end = last != lines.npos ? last : lines.find('\n');
    return lines.substr(0, end == lines.npos ? end : end + 1);
}

bool write_whole(int descriptor, std::string_view bytes) {
    while (!bytes.empty()) {
        auto const wrote = ::write(descriptor, bytes.data(), bytes.size());
        if (wrote > 0) {
            bytes.remove_prefix(static_cast<std::size_t>(wrote));
        } else if (wrote < 0 && errno == EAGAIN) { // another process made the shared description non-blocking
            pollfd until_writable{descriptor, POLLOUT, 0};
            ::poll(&until_writable, 1, -1);
        } else if (wrote == 0 || errno != EINTR) {
            return false;
        }
    }
    return true;
}

} // namespace

struct log_writer::state {
    state(int to, std::size_t most, drop_report how)
        : descriptor(::fcntl(to, F_DUPFD_CLOEXEC, 3)), most_waiting(most), report(how), pipe(is_pipe(to)) {}
    ~state() {
        if (descriptor >= 0) ::close(descriptor);
    }
    state(state const&) = delete;
    state& operator=(state const&) = delete;

    void run();
    void write(std::string_view lines);
    void report_drops();

    int const descriptor; // a duplicate: the thread may still write when the caller has closed the original
    std::size_t const most_waiting;
    drop_report const report;
    bool const pipe;
    std::atomic<std::uint64_t> dropped{0};
    std::uint64_t reported{0}; // of those dropped; the thread's
    std::mutex mutex;
    std::condition_variable wake;
    std::condition_variable written;
    std::string waiting;
    bool asleep{false}; // the thread, until somebody wakes it
    bool writing{false};
    bool hurry{false};
    bool stopped{false};
};

void log_writer::state::run() {
    std::string batch;
    std::unique_lock lock(mutex);
    for (;;) {
        wake.wait_for(lock, gather_for, [this] { return stopped || hurry || waiting.size() >= gathered_enough; });
        if (waiting.empty()) {
            if (stopped) return;
            asleep = true;
            wake.wait(lock, [this] { return stopped || !waiting.empty(); });
            asleep = false;
            continue;
        }
        report_drops();
        batch.swap(waiting);
        writing = true;
        lock.unlock();
        write(batch);
        batch.clear();
        lock.lock();
        writing = false;
        if (waiting.empty()) written.notify_all();
    }
}

// Appends the report behind the lines that were kept, because the dropped lines came after those.
void log_writer::state::report_drops() {
    auto const now = dropped.load();
    if (now == reported) return;
    waiting += report(now - reported);
    reported = now;
}

void log_writer::state::write(std::string_view lines) {
    while (!lines.empty()) {
        auto const piece = pipe ? piece_for_pipe(lines) : lines;
        if (!write_whole(descriptor, piece)) dropped += count_lines(piece);
        lines.remove_prefix(piece.size());
    }
}

log_writer::log_writer(int descriptor, std::size_t most_waiting, drop_report report)
    : state_(std::make_shared<state>(descriptor, most_waiting, report)) {
    // Signals are the other threads' affair. SIGPIPE, of a reader that is gone, then only fails the write.
    sigset_t all;
    sigset_t before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    // Detached, and with a share in the state: it may be in a write that never ends.
    std::thread([s = state_] { s->run(); }).detach();
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

log_writer::~log_writer() {
    std::lock_guard const lock(state_->mutex);
    state_->stopped = true;
    state_->wake.notify_all();
}

void log_writer::put(std::string_view lines) noexcept {
    auto& s = *state_;
    bool wakes = false;
    {
        std::lock_guard const lock(s.mutex);
        auto const before = s.waiting.size();
        if (before + lines.size() > s.most_waiting) {
            s.dropped += count_lines(lines);
            return;
        }
        s.waiting += lines;
        wakes = (s.asleep && before == 0) || (before < gathered_enough && s.waiting.size() >= gathered_enough);
    }
    if (wakes) s.wake.notify_one();
}

bool log_writer::flush(std::chrono::milliseconds at_most) noexcept {
    auto& s = *state_;
    std::unique_lock lock(s.mutex);
    s.hurry = true;
    s.wake.notify_one();
    bool const done = s.written.wait_for(lock, at_most, [&s] { return s.waiting.empty() && !s.writing; });
    s.hurry = false;
    return done;
}

std::uint64_t log_writer::dropped() const noexcept { return state_->dropped.load(); }

} // namespace recruiting::log
