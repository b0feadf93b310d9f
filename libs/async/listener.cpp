#include "async/listener.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <linux/filter.h>
#include <stdexcept>
#include <sys/socket.h>
#include <unistd.h>

namespace recruiting {
namespace {

using reuse_port = asio::detail::socket_option::boolean<SOL_SOCKET, SO_REUSEPORT>;
constexpr int backlog = 4096;

// What a predecessor said about who gets new connections (give_way) must not outlive it.
void forget_predecessor(stream_acceptor& acceptor) noexcept {
    int const none = 0;
    ::setsockopt(acceptor.native_handle(), SOL_SOCKET, SO_DETACH_REUSEPORT_BPF, &none, sizeof none);
}

asio::generic::stream_protocol::endpoint resolve(endpoint const& where) {
    if (!where.unix_path.empty()) return asio::local::stream_protocol::endpoint(where.unix_path);
    boost::system::error_code error;
    auto const address = asio::ip::make_address(where.host, error);
    if (error) throw std::runtime_error("can't listen on " + to_string(where) + ": not an IP address");
    return asio::ip::tcp::endpoint(address, where.port);
}

} // namespace

void listen_on(stream_acceptor& acceptor, endpoint const& where) {
    auto const address = resolve(where);
    if (!where.unix_path.empty()) ::unlink(where.unix_path.c_str());
    try {
        acceptor.open(address.protocol());
        if (where.unix_path.empty()) {
            acceptor.set_option(asio::socket_base::reuse_address(true));
            acceptor.set_option(reuse_port(true));
        }
        acceptor.bind(address);
        acceptor.listen(backlog);
        forget_predecessor(acceptor);
    } catch (boost::system::system_error const& error) {
        throw std::runtime_error("can't listen on " + to_string(where) + ": " + error.code().message());
    }
}

// The program names the socket by its place in the group, which is the order of listening: own ones first. A place that
// nobody has makes the kernel choose as if there were no program.
void give_way(stream_acceptor& acceptor, unsigned own) noexcept {
    sock_filter program[] = {{BPF_RET | BPF_K, 0, 0, own}};
    sock_fprog const all{1, program};
    ::setsockopt(acceptor.native_handle(), SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, &all, sizeof all);
}

} // namespace recruiting
