// Connecting without blocking the thread's loop. Used by pipeline only; the one header that names libpq's connection.
#pragma once
#include "async/task.hpp"
#include "async/ticker.hpp"

#include <boost/asio/posix/basic_stream_descriptor.hpp>
#include <chrono>
#include <memory>
#include <string>

struct pg_conn;

namespace recruiting::pg {

struct finish_connection {
    void operator()(pg_conn* connection) const noexcept;
};
using connection_handle = std::unique_ptr<pg_conn, finish_connection>;

struct connect_request {
    std::string url;
    std::string application_name;
    std::chrono::milliseconds timeout;
};

/// An established, non-blocking connection, its descriptor assigned to socket; or null, and why says what happened
/// (never with the password). Name resolution is libpq's and may block: use addresses where that matters.
[[nodiscard]] task<connection_handle> connect(ticker& clock, connect_request const& request,
                                              asio::posix::basic_stream_descriptor<io_executor>& socket,
                                              std::string& why);

} // namespace recruiting::pg
