#include "async/listener.hpp"

#include <boost/asio/local/stream_protocol.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <linux/filter.h>
#include <stdexcept>
#include <sys/socket.h>
#include <unistd.h>

namespace recruiting {
namespace {

using reuse_port = asio::detail::socket_option::boolean<SOL_SOCKET, SO_REUSEPORT>;
constexpr int backlog = 4096;

asio::generic::stream_protocol::endpoint resolve(endpoint const& where) {
    if (!where.unix_path.empty()) return asio::local::stream_protocol::endpoint(where.unix_path);
    boost::system::error_code error;
    auto const address = asio::ip::make_address(where.host, error);
    if (error) throw std::runtime_error("can't listen on " + to_string(where) + ": not an IP address");
    return asio::ip::tcp::endpoint(address, where.port);
}

[[noreturn]] void fail(endpoint const& where, std::string const& why) {
    throw std::runtime_error("can't listen on " + to_string(where) + ": " + why);
}

// A unix socket gets its name when it listens already: a predecessor's path never leads nowhere.
endpoint provisional(endpoint where) {
    if (!where.unix_path.empty()) where.unix_path += "." + std::to_string(::getpid());
    return where;
}

} // namespace

asio::ip::tcp::endpoint tcp_endpoint_of(asio::generic::stream_protocol::endpoint const& from) {
    asio::ip::tcp::endpoint tcp;
    tcp.resize(from.size());
    std::memcpy(tcp.data(), from.data(), from.size());
    return tcp;
}

void bind_to(stream_acceptor& acceptor, endpoint const& where) {
    auto const address = resolve(provisional(where));
    if (!where.unix_path.empty()) ::unlink(provisional(where).unix_path.c_str());
    try {
        acceptor.open(address.protocol());
        if (where.unix_path.empty()) {
            acceptor.set_option(asio::socket_base::reuse_address(true));
            acceptor.set_option(reuse_port(true));
        }
        acceptor.bind(address);
    } catch (boost::system::system_error const& error) {
        fail(where, error.code().message());
    }
}

void start_listening(stream_acceptor& acceptor, endpoint const& where) {
    boost::system::error_code error;
    acceptor.listen(backlog, error);
    if (error) fail(where, error.message());
    if (where.unix_path.empty()) return reset_reuseport_selection(acceptor);
    if (::rename(provisional(where).unix_path.c_str(), where.unix_path.c_str()) != 0) fail(where, std::strerror(errno));
}

void listen_on(stream_acceptor& acceptor, endpoint const& where) {
    bind_to(acceptor, where);
    start_listening(acceptor, where);
}

// The program names the socket by its index in the group, which is the order of listening: own ones first. An index
// that no socket has makes the kernel choose as if there were no program.
void divert_new_connections(stream_acceptor& acceptor, unsigned own) noexcept {
    sock_filter program[] = {{BPF_RET | BPF_K, 0, 0, own}};
    sock_fprog const all{1, program};
    ::setsockopt(acceptor.native_handle(), SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, &all, sizeof all);
}

void reset_reuseport_selection(stream_acceptor& acceptor) noexcept {
    int const none = 0;
    ::setsockopt(acceptor.native_handle(), SOL_SOCKET, SO_DETACH_REUSEPORT_BPF, &none, sizeof none);
}

} // namespace recruiting
