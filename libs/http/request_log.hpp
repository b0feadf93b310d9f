// The log's lines of the requests of one event-loop turn, in one write: at full load a line costs no system call.
#pragma once
#include "async/task.hpp"
#include "core/log.hpp"

#include <initializer_list>
#include <string>

namespace recruiting::http {

class request_log {
public:
    explicit request_log(asio::io_context& context) : context_(context) {}
    ~request_log() { flush(); }
    request_log(request_log const&) = delete;
    request_log& operator=(request_log const&) = delete;

    /// As log::info("request", fields), by the end of the turn.
    void write(std::initializer_list<log::field> fields);

private:
    void flush() noexcept;

    asio::io_context& context_;
    std::string lines_;
};

} // namespace recruiting::http
