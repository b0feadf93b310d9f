#include "gateway/access_log.hpp"

#include <boost/asio/post.hpp>
#include <cerrno>
#include <climits>
#include <unistd.h>

namespace recruiting::gateway {

void access_log::write(exchange const& x, std::chrono::steady_clock::time_point now) {
    if (!enabled_) return;
    if (lines_.empty()) asio::post(context_, [this] { flush(); });
    auto const before = lines_.size();
    append_access_line(lines_, x, system_time().now(),
                       std::chrono::duration_cast<std::chrono::microseconds>(now - x.began));
    // A pipe takes up to PIPE_BUF bytes as one (POSIX write(2)): lines of other threads then stay apart.
    if (before > 0 && lines_.size() > PIPE_BUF) {
        auto const last = lines_.substr(before);
        lines_.resize(before);
        flush();
        lines_ = last;
        asio::post(context_, [this] { flush(); });
    }
}

void access_log::flush() noexcept {
    for (std::size_t done = 0; done < lines_.size();) {
        auto const wrote = ::write(STDOUT_FILENO, lines_.data() + done, lines_.size() - done);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote <= 0) break; // a log that can't be written stops nothing
        done += static_cast<std::size_t>(wrote);
    }
    lines_.clear();
}

} // namespace recruiting::gateway
