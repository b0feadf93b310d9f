// A new process takes over an address from an old one: which socket the kernel gives connections to.
#include "async/listener.hpp"
#include "support/catch.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <list>
#include <numeric>
#include <vector>

namespace recruiting {
namespace {

constexpr int connections = 64;

struct process {
    process(asio::io_context& context, endpoint const& where, unsigned threads) : taken(threads) {
        for (unsigned i = 0; i < threads; ++i) {
            auto const count = [this, i](stream_socket const&, socket_address const&) { ++taken[i]; };
            sockets.emplace_back(context, where, threads, count).start();
        }
    }
    /// Accepts what the kernel has for each socket, and ends.
    int stop() {
        for (auto& one : sockets) one.stop();
        return std::accumulate(taken.begin(), taken.end(), 0);
    }
    std::vector<int> taken; // connections, by socket
    std::list<listener> sockets;
};

// A port that is free now, kept from others by a socket that does not listen.
struct address {
    explicit address(asio::io_context& context) : holder(context) {
        asio::ip::tcp::endpoint const any(asio::ip::address_v4::loopback(), 0);
        holder.open(any.protocol());
        holder.set_option(asio::detail::socket_option::boolean<SOL_SOCKET, SO_REUSEPORT>(true));
        holder.bind(any);
        where = {"127.0.0.1", holder.local_endpoint().port(), {}};
    }
    asio::ip::tcp::socket holder;
    endpoint where;
};

void connect_many(asio::io_context& context, endpoint const& where) {
    for (int i = 0; i < connections; ++i) {
        asio::ip::tcp::socket client(context);
        client.connect({asio::ip::make_address(where.host), where.port});
    }
}

} // namespace

TEST_CASE("a process that gives way gets no connections while another listens", "[listener]") {
    asio::io_context context;
    address const at(context);
    process old_one(context, at.where, 2);
    process new_one(context, at.where, 3);
    old_one.sockets.front().divert_new_connections();
    connect_many(context, at.where);
    CHECK(old_one.stop() == 0);
    CHECK(new_one.stop() == connections);
}

TEST_CASE("a process that gives way to nobody goes on getting connections", "[listener]") {
    asio::io_context context;
    address const at(context);
    process only(context, at.where, 2);
    only.sockets.front().divert_new_connections();
    connect_many(context, at.where);
    CHECK(only.stop() == connections);
}

TEST_CASE("who goes on listening gets connections on all its sockets once it forgets its predecessor", "[listener]") {
    asio::io_context context;
    address const at(context);
    process old_one(context, at.where, 1);
    process new_one(context, at.where, 2);
    old_one.sockets.front().divert_new_connections();
    old_one.sockets.clear();
    new_one.sockets.front().on_tick(coarse_clock::now());
    connect_many(context, at.where);
    CHECK(new_one.stop() == connections);
    CHECK(new_one.taken[0] > 0); // each socket gets half of them; none of 64 would be a chance of 2^-64
    CHECK(new_one.taken[1] > 0);
}

} // namespace recruiting
