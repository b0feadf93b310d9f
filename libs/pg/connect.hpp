// Connecting without blocking the thread's loop, and how libpq takes values and reports errors. For libs/pg only.
#pragma once
#include "async/task.hpp"
#include "async/ticker.hpp"
#include "pg/error.hpp"
#include "pg/params.hpp"
#include "pg/servers.hpp"

#include <atomic>
#include <boost/asio/posix/basic_stream_descriptor.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

struct pg_conn;
struct pg_result;

namespace recruiting::pg {

struct finish_connection {
    void operator()(pg_conn* connection) const noexcept;
};
using connection_handle = std::unique_ptr<pg_conn, finish_connection>;

/// libpq would print what the server notices to standard error, where only our own log lines belong.
void drop_notice(void*, char const*);

struct connect_request {
    std::string url;
    std::string application_name;
    std::chrono::milliseconds timeout; // of one host
};

struct connect_result {
    connection_handle connection; // of connect(): non-blocking, its descriptor assigned to the socket; or null
    std::size_t host{0};          // the connection's, as known_servers numbers them
    std::string why{};            // why no host tried gave a connection, never with the password; empty: none was tried
};

/// Tries the hosts that are to be tried now, one after the other, and reports to servers what they did. Name resolution
/// is libpq's and may block: use addresses where that matters.
[[nodiscard]] task<connect_result> connect(ticker& clock, connect_request const& request, known_servers& servers,
                                           asio::posix::basic_stream_descriptor<io_executor>& socket);

/// Does what connect() does, for a thread that may wait; the connection blocks.
[[nodiscard]] connect_result connect_now(connect_request const& request, known_servers& servers);

/// Does one of the hosts take connections? Waits 5 s for each at most.
[[nodiscard]] bool is_accepting(std::string const& url, known_servers& servers);
/// Does the server of a connection let a further connection attempt without any answer for 3 s?
[[nodiscard]] bool is_silent(pg_conn* connection);

// Ends on the server what a connection is given up with: statements, and commits that wait for a standby.

/// How many given-up connections of one pipeline are not closed yet.
using abandoned_count = std::shared_ptr<std::atomic<int>>;

/// Cancels one statement after the other until all segments (so many Syncs) have their answers or the server has closed
/// the connection, then closes it. In a pipeline, the next segment begins when one is cancelled, and its commit may
/// wait as well. Gives up after two minutes without any answer. On a thread of its own, for PQcancel blocks for as long
/// as the server is silent.
void abandon(connection_handle connection, std::size_t segments, abandoned_count const& count) noexcept;

/// A statement's parameters as libpq takes them.
struct bound_values {
    explicit bound_values(params const& of) {
        auto const& values = of.values();
        texts.reserve(values.size());
        lengths.reserve(values.size());
        formats.reserve(values.size());
        for (auto const& value : values) {
            texts.push_back(value.text ? value.text->c_str() : nullptr);
            lengths.push_back(value.text ? static_cast<int>(value.text->size()) : 0);
            formats.push_back(value.binary ? 1 : 0);
        }
    }
    [[nodiscard]] int count() const noexcept { return static_cast<int>(texts.size()); }

    std::vector<char const*> texts;
    std::vector<int> lengths;
    std::vector<int> formats;
};

// What PostgreSQL reports of a statement that failed.

/// code: PG_DIAG_… of libpq; "" when the server sent none.
[[nodiscard]] std::string error_field(pg_result const* result, int code);
/// DETAIL is left out: it quotes the row's values, which belong into no log.
[[nodiscard]] query_error error_of(pg_result const* result);
/// The connection can't go on after these, though libpq still holds it (PostgreSQL appendix A, classes 57P and 25006).
[[nodiscard]] bool ends_connection(pg_result const* result);

} // namespace recruiting::pg
