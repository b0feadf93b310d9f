#include "redis/dial.hpp"

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/write.hpp>

namespace recruiting::redis {

task<bool> dial(socket_type& socket, resolver_type& resolver, endpoint const& where) {
    boost::system::error_code ignored;
    if (!where.unix_path.empty()) {
        asio::generic::stream_protocol::endpoint const there = asio::local::stream_protocol::endpoint(where.unix_path);
        auto const [error] = co_await socket.async_connect(there, use_task_tuple);
        co_return !error;
    }
    auto const port = std::to_string(where.port);
    auto const [resolve_error, found] = co_await resolver.async_resolve(where.host, port, use_task_tuple);
    if (resolve_error) co_return false;
    for (auto const& entry : found) {
        socket.close(ignored);
        asio::generic::stream_protocol::endpoint const there = entry.endpoint();
        auto const [error] = co_await socket.async_connect(there, use_task_tuple);
        if (error == asio::error::operation_aborted) co_return false; // the time is over
        if (error) continue;
        socket.set_option(asio::ip::tcp::no_delay(true), ignored);
        co_return true;
    }
    co_return false;
}

task<bool> exchange(socket_type& socket, batch const& commands, std::vector<reply>& replies) {
    auto const bytes = asio::buffer(commands.bytes());
    auto const [write_error, written] = co_await asio::async_write(socket, bytes, use_task_tuple);
    if (write_error) co_return false;
    reply_reader reader;
    std::array<char, 4096> input{};
    auto const expected = replies.size() + commands.size();
    while (replies.size() < expected) {
        auto const [error, size] = co_await socket.async_read_some(asio::buffer(input), use_task_tuple);
        if (error) co_return false;
        try {
            reader.feed({input.data(), size});
            for (auto next = reader.next(); next; next = reader.next()) replies.push_back(std::move(*next));
        } catch (protocol_error const&) {
            co_return false;
        }
    }
    co_return true;
}

void add_login(batch& commands, login const& as) {
    if (as.password.empty()) return;
    if (as.user.empty()) commands.add({"AUTH", as.password});
    else commands.add({"AUTH", as.user, as.password});
}

} // namespace recruiting::redis
