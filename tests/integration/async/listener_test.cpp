// A new process takes over an address from an old one: which socket the kernel gives connections to.
#include "async/listener.hpp"
#include "support/catch.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <list>
#include <vector>

namespace recruiting {
namespace {

constexpr int connections = 64;

struct process {
    process(asio::io_context& context, endpoint const& where, unsigned threads) {
        for (unsigned i = 0; i < threads; ++i) {
            bind_to(sockets.emplace_back(context), where);
            start_listening(sockets.back(), where);
            sockets.back().non_blocking(true);
        }
    }
    /// How many connections each socket has got.
    std::vector<int> taken(asio::io_context& context) {
        std::vector<int> out;
        for (auto& one : sockets) {
            boost::system::error_code error;
            for (out.push_back(-1); !error; ++out.back()) {
                asio::generic::stream_protocol::socket made(context);
                one.accept(made, error);
            }
        }
        return out;
    }
    std::list<stream_acceptor> sockets;
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

int sum(std::vector<int> const& counts) {
    int out = 0;
    for (int const one : counts) out += one;
    return out;
}

} // namespace

TEST_CASE("a process that gives way gets no connections while another listens", "[listener]") {
    asio::io_context context;
    address const at(context);
    process old_one(context, at.where, 2);
    process new_one(context, at.where, 3);
    divert_new_connections(old_one.sockets.front(), 2);
    connect_many(context, at.where);
    CHECK(sum(old_one.taken(context)) == 0);
    CHECK(sum(new_one.taken(context)) == connections);
}

TEST_CASE("a process that gives way to nobody goes on getting connections", "[listener]") {
    asio::io_context context;
    address const at(context);
    process only(context, at.where, 2);
    divert_new_connections(only.sockets.front(), 2);
    connect_many(context, at.where);
    CHECK(sum(only.taken(context)) == connections);
}

TEST_CASE("who goes on listening gets connections on all its sockets once it forgets its predecessor", "[listener]") {
    asio::io_context context;
    address const at(context);
    process old_one(context, at.where, 1);
    process new_one(context, at.where, 2);
    divert_new_connections(old_one.sockets.front(), 1);
    old_one.sockets.clear();
    reset_reuseport_selection(new_one.sockets.front());
    connect_many(context, at.where);
    auto const taken = new_one.taken(context);
    CHECK(taken[0] > 0); // each socket gets half of them; none of 64 would be a chance of 2^-64
    CHECK(taken[1] > 0);
    CHECK(sum(taken) == connections);
}

} // namespace recruiting
