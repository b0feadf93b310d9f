#include "integration/slow_link.hpp"

#include <atomic>
#include <mutex>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>
#include <vector>

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
    int listener{-1};
    std::atomic<std::chrono::milliseconds::rep> delay{0};
    std::atomic<bool> stopping{false};
    std::mutex mutex;
    std::vector<int> open;
    std::vector<std::thread> threads;
    std::thread accepting;

    void pump(int from, int to, bool slowly) const {
        char piece[16384];
        for (auto got = ::recv(from, piece, sizeof piece, 0); got > 0; got = ::recv(from, piece, sizeof piece, 0)) {
            if (slowly) std::this_thread::sleep_for(std::chrono::milliseconds{delay.load()});
            if (::send(to, piece, static_cast<std::size_t>(got), MSG_NOSIGNAL) != got) break;
        }
        ::shutdown(from, SHUT_RDWR);
        ::shutdown(to, SHUT_RDWR);
    }

    void accept_all() {
        while (!stopping) {
            int const client = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
            if (client < 0) continue;
            int const server = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
            auto const there = address_of(redis);
            std::lock_guard const lock(mutex);
            open.insert(open.end(), {client, server});
            if (::connect(server, reinterpret_cast<sockaddr const*>(&there), sizeof there) != 0) {
                ::shutdown(client, SHUT_RDWR);
                continue;
            }
            threads.emplace_back([this, client, server] { pump(client, server, false); });
            threads.emplace_back([this, client, server] { pump(server, client, true); });
        }
    }
};

slow_link::slow_link(std::string const& redis_socket) : state_(std::make_unique<state>()) {
    auto& s = *state_;
    s.redis = redis_socket;
    s.path = redis_socket + ".slow";
    auto const here = address_of(s.path);
    s.listener = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (::bind(s.listener, reinterpret_cast<sockaddr const*>(&here), sizeof here) != 0 || ::listen(s.listener, 64) != 0)
        throw std::runtime_error("the slow link can't listen");
    s.accepting = std::thread([&s] { s.accept_all(); });
}

slow_link::~slow_link() {
    auto& s = *state_;
    s.stopping = true;
    ::shutdown(s.listener, SHUT_RDWR);
    s.accepting.join();
    for (int const fd : s.open) ::shutdown(fd, SHUT_RDWR);
    for (auto& one : s.threads) one.join();
    for (int const fd : s.open) ::close(fd);
    ::close(s.listener);
}

std::string slow_link::url() const { return "unix://" + state_->path; }
void slow_link::delay(std::chrono::milliseconds by) { state_->delay = by.count(); }

} // namespace recruiting::test
