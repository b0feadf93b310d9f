#include "http/program_settings.hpp"

#include "core/url.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <iostream>
#include <memory>
#include <netdb.h>
#include <optional>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace recruiting::http {
namespace {

using namespace std::chrono_literals;

constexpr timeval patience{3, 0}; // for each step
constexpr std::string_view health_request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

class socket_handle {
public:
    explicit socket_handle(int family) : fd_(::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        if (fd_ < 0) throw std::system_error(errno, std::generic_category(), "socket");
        ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        ::setsockopt(fd_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience); // connect's too
    }
    socket_handle(socket_handle const&) = delete;
    socket_handle& operator=(socket_handle const&) = delete;
    ~socket_handle() { ::close(fd_); }
    [[nodiscard]] int get() const noexcept { return fd_; }

private:
    int fd_;
};

void connect_to(socket_handle const& socket, sockaddr const* address, socklen_t size) {
    if (::connect(socket.get(), address, size) != 0)
        throw std::system_error(errno, std::generic_category(), "can't connect");
}

std::string first_line(socket_handle const& socket) {
    if (::send(socket.get(), health_request.data(), health_request.size(), MSG_NOSIGNAL) !=
        static_cast<ssize_t>(health_request.size()))
        throw std::system_error(errno, std::generic_category(), "can't send the request");
    std::string answer;
    std::array<char, 512> part{};
    while (answer.find("\r\n") == std::string::npos && answer.size() < 4096) {
        auto const got = ::recv(socket.get(), part.data(), part.size(), 0);
        if (got < 0) throw std::system_error(errno, std::generic_category(), "no answer");
        if (got == 0) break;
        answer.append(part.data(), static_cast<std::size_t>(got));
    }
    return answer.substr(0, answer.find("\r\n"));
}

std::string ask_unix(std::string const& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    socket_handle const socket(AF_UNIX);
    connect_to(socket, reinterpret_cast<sockaddr const*>(&address), sizeof address);
    return first_line(socket);
}

std::string ask_tcp(endpoint const& where) {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (int const error = ::getaddrinfo(where.host.c_str(), std::to_string(where.port).c_str(), &hints, &found))
        throw std::runtime_error(where.host + ": " + ::gai_strerror(error));
    std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> const owner(found, &::freeaddrinfo);
    socket_handle const socket(found->ai_family);
    connect_to(socket, found->ai_addr, found->ai_addrlen);
    return first_line(socket);
}

} // namespace

unsigned program_settings::thread_count() const noexcept {
    return threads == 0 ? std::max(1U, std::thread::hardware_concurrency()) : static_cast<unsigned>(threads);
}

server_settings program_settings::admin_server() const {
    server_settings out;
    out.listen = admin_listen;
    return out;
}

server_settings service_settings::api_server() const {
    auto out = api;
    out.sockets = thread_count();
    out.drain_delay = drain_delay;
    return out;
}

void declare_program(settings_reader& reader, program_settings& target) {
    auto const named = [&reader](char const* name) { return reader.prefix() + name; };
    reader.address(named("ADMIN_LISTEN"), target.admin_listen,
                   "Address of the admin port: /healthz, /readyz, /metrics and /settings.");
    reader.number(named("THREADS"), target.threads, 0, 256, "Threads, each with its own event loop; 0: one per core.");
    reader.duration(
        named("DRAIN_DELAY"), target.drain_delay, 0ms, 10min,
        "Time to keep accepting connections after SIGTERM, while /readyz returns 503. Longer than the "
        "interval at which load balancers, or the gateway, check the program's health. After it each answer "
        "ends its connection.");
    reader.duration(named("DRAIN_TIMEOUT"), target.drain_timeout, 0ms, 1h,
                    "Maximum time for requests in progress at SIGTERM; then they are cut off. In the gateway it "
                    "includes the drain delay, in a service it follows the delay.");
    reader.log(target.log);
}

void declare_service(settings_reader& reader, service_settings& target) {
    auto const named = [&reader](char const* name) { return reader.prefix() + name; };
    reader.address(named("LISTEN"), target.api.listen, "The address on which the API is served to the gateway.");
    declare_program(reader, target);
    reader.networks(named("TRUSTED_PROXIES"), target.trusted_proxies,
                    "Addresses and networks of the gateways, whose X-Forwarded-For is trusted.");
    reader.number(named("HEADERS_LIMIT"), target.api.headers_limit, 1024, 1024 * 1024,
                  "Maximum size of a request's headers, in bytes.");
    reader.number(named("BODY_LIMIT"), target.api.body_limit, 1024, 64 * 1024 * 1024,
                  "Maximum size of a request's body, in bytes.");
    reader.secret_file("RECRUITING_CURSOR_SECRET_FILE", target.cursor_secret, 32,
                       "File with the secret that signs cursors and sync tokens; the same for all instances.");
    reader.require_last();
}

std::optional<int> load(settings_reader& reader, program_settings& target, int argc, char const* const* argv,
                        std::function<connection_budget()> const& budget) {
    reader.on_healthcheck([&target] { return check_health(target.admin_listen); });
    reader.on_check([&budget] {
        auto const most = budget();
        return "at most " + std::to_string(most.postgres) + " connections to PostgreSQL, " +
               std::to_string(most.redis) + " to Redis";
    });
    auto const code = reader.load(argc, argv);
    target.effective = reader.effective();
    target.connections = budget();
    return code;
}

int check_health(endpoint const& admin_listen) {
    auto const where = reachable(admin_listen);
    try {
        auto const line = where.unix_path.empty() ? ask_tcp(where) : ask_unix(where.unix_path);
        if (line.starts_with("HTTP/1.1 200 ")) return 0;
        std::cerr << to_string(where) << " answered: " << line << '\n';
    } catch (std::exception const& error) {
        std::cerr << to_string(where) << ": " << error.what() << '\n';
    }
    return 1;
}

} // namespace recruiting::http
