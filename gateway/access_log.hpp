// One JSON line a request on standard output, one write an event-loop turn. Never a query, a credential or a token.
#pragma once
#include "async/task.hpp"
#include "gateway/exchange.hpp"

#include <string>

namespace recruiting::gateway {

/// The line of a request that was answered (or not: status 0), with its newline.
void append_access_line(std::string& out, exchange const& x, timestamp now, std::chrono::microseconds duration);

class access_log {
public:
    access_log(asio::io_context& context, bool enabled) : context_(context), enabled_(enabled) {}
    ~access_log() { flush(); }
    access_log(access_log const&) = delete;
    access_log& operator=(access_log const&) = delete;

    void write(exchange const& x, std::chrono::steady_clock::time_point now);

private:
    void flush() noexcept;

    asio::io_context& context_;
    bool enabled_;
    std::string lines_;
};

} // namespace recruiting::gateway
