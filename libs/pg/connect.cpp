#include "pg/connect.hpp"

#include <libpq-fe.h>

namespace recruiting::pg {
namespace {

void drop_notice(void*, char const*) {}

using descriptor = asio::posix::basic_stream_descriptor<io_executor>;

connection_handle start(connect_request const& request) {
    char const* const keywords[] = {"dbname", "application_name", "client_encoding", nullptr};
    char const* const values[] = {request.url.c_str(), request.application_name.c_str(), "UTF8", nullptr};
    connection_handle connection(PQconnectStartParams(keywords, values, 1)); // 1: dbname may be a whole URL
    // libpq would write notices to standard error, past the log.
    PQsetNoticeProcessor(connection.get(), drop_notice, nullptr);
    return connection;
}

// libpq may open another descriptor at each step (the next host), and its number can be the same: assigned afresh
// every time, or epoll keeps watching the old one (design: Traps, libpq).
void watch(descriptor& socket, PGconn* connection) {
    if (socket.is_open()) socket.release();
    socket.assign(PQsocket(connection));
}

} // namespace

void finish_connection::operator()(pg_conn* connection) const noexcept { PQfinish(connection); }

task<connection_handle> connect(ticker& clock, connect_request const& request, descriptor& socket, std::string& why) {
    auto connection = start(request);
    auto const deadline = clock.now() + request.timeout;
    bool timed_out = false;
    auto const subscription = clock.subscribe([&](coarse_clock::time_point now) {
        if (now < deadline) return;
        timed_out = true;
        boost::system::error_code ignored;
        if (socket.is_open()) socket.cancel(ignored);
    });
    auto step = PQstatus(connection.get()) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING;
    while (step == PGRES_POLLING_READING || step == PGRES_POLLING_WRITING) {
        watch(socket, connection.get());
        auto const direction = step == PGRES_POLLING_READING ? asio::posix::descriptor_base::wait_read
                                                             : asio::posix::descriptor_base::wait_write;
        auto const [error] = co_await socket.async_wait(direction, use_task_tuple);
        step = error || timed_out ? PGRES_POLLING_FAILED : PQconnectPoll(connection.get());
    }
    clock.unsubscribe(subscription);
    if (step == PGRES_POLLING_OK && PQsetnonblocking(connection.get(), 1) == 0) {
        watch(socket, connection.get());
        co_return connection;
    }
    why = timed_out ? "timed out" : PQerrorMessage(connection.get());
    if (socket.is_open()) socket.release();
    co_return nullptr;
}

} // namespace recruiting::pg
