#include "http/admin_client.hpp"

#include "async/task.hpp"
#include "core/url.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <chrono>
#include <system_error>

namespace recruiting::http {
namespace {

template <class Stream>
std::string ask(Stream& stream, std::string const& path, auto const&... where) {
    stream.expires_after(std::chrono::seconds{5});
    stream.connect(where...);
    // In one piece: a program that answers after the first one may close the connection before the second.
    stream << "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n" << std::flush;
    std::string line;
    if (!std::getline(stream, line)) throw std::system_error(stream.error());
    return line.substr(0, line.find('\r'));
}

} // namespace

std::string ask_admin(endpoint const& where, std::string const& path) {
    if (where.unix_path.empty()) {
        asio::ip::tcp::iostream stream;
        return ask(stream, path, where.host, std::to_string(where.port));
    }
    asio::local::stream_protocol::iostream stream;
    return ask(stream, path, asio::local::stream_protocol::endpoint(where.unix_path));
}

bool is_good(std::string_view first_line) noexcept { return first_line.starts_with("HTTP/1.1 200 "); }

std::optional<bool> readiness_at(endpoint const& where) try {
    return is_good(ask_admin(reachable(where), "/readyz"));
} catch (std::exception const&) { // nothing listens there, or what does is no HTTP server
    return std::nullopt;
}

} // namespace recruiting::http
