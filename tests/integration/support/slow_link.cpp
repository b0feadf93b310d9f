#include "integration/support/slow_link.hpp"

#include "integration/support/link.hpp"

#include <atomic>
#include <optional>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>

namespace recruiting::test {
namespace {

sockaddr_un address_of(std::string const& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    return address;
}

} // namespace

struct slow_link::state {
    std::string redis;
    std::string path;
    std::atomic<std::chrono::milliseconds::rep> delay{0};
    std::optional<link> relay;

    void pump(int from, int to, bool slowly) const {
        char piece[16384];
        for (auto got = ::recv(from, piece, sizeof piece, 0); got > 0; got = ::recv(from, piece, sizeof piece, 0)) {
            if (slowly) std::this_thread::sleep_for(std::chrono::milliseconds{delay.load()});
            if (::send(to, piece, static_cast<std::size_t>(got), MSG_NOSIGNAL) != got) break;
        }
        ::shutdown(from, SHUT_RDWR);
        ::shutdown(to, SHUT_RDWR);
    }

    int dial() const {
        int const server = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        auto const there = address_of(redis);
        if (::connect(server, reinterpret_cast<sockaddr const*>(&there), sizeof there) == 0) return server;
        ::close(server);
        return -1;
    }
};

slow_link::slow_link(std::string const& redis_socket) : state_(std::make_unique<state>()) {
    auto& s = *state_;
    s.redis = redis_socket;
    s.path = redis_socket + ".slow";
    auto const here = address_of(s.path);
    int const listener = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (::bind(listener, reinterpret_cast<sockaddr const*>(&here), sizeof here) != 0 || ::listen(listener, 64) != 0)
        throw std::runtime_error("the slow link can't listen");
    s.relay.emplace(
        listener, [&s] { return s.dial(); }, [&s](int from, int to, bool answers) { s.pump(from, to, answers); });
}

slow_link::~slow_link() = default;

std::string slow_link::url() const { return "unix://" + state_->path; }
void slow_link::delay(std::chrono::milliseconds by) { state_->delay = by.count(); }

} // namespace recruiting::test
