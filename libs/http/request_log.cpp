#include "http/request_log.hpp"

#include "core/log_lines.hpp"

#include <boost/asio/post.hpp>
#include <climits>

namespace recruiting::http {

void request_log::write(std::initializer_list<log::field> fields) {
    auto const before = lines_.size();
    log::append(lines_, log::level::info, "request", fields);
    if (lines_.empty()) return; // the log does not want it
    if (before == 0) return asio::post(context_, [this] { flush(); });
    if (lines_.size() <= PIPE_BUF) return;
    // A pipe takes up to PIPE_BUF bytes as one (POSIX write(2)): lines of other threads then stay apart.
    log::put(std::string_view(lines_).substr(0, before));
    lines_.erase(0, before);
}

void request_log::flush() noexcept {
    log::put(lines_);
    lines_.clear();
}

} // namespace recruiting::http
