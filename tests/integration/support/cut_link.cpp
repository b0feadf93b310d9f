#include "integration/support/cut_link.hpp"

#include "integration/support/link.hpp"

#include <arpa/inet.h>
#include <atomic>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <sys/socket.h>
#include <unistd.h>

namespace recruiting::test {
namespace {

constexpr std::string_view ready_for_query("Z\0\0\0\5", 5); // then one byte: the transaction's state

sockaddr_in loopback(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

bool ends_answer(std::string_view piece) {
    return piece.size() > ready_for_query.size() &&
           piece.substr(piece.size() - ready_for_query.size() - 1, ready_for_query.size()) == ready_for_query;
}

} // namespace

struct cut_link::state {
    std::uint16_t server_port{0};
    std::string url;
    std::atomic<bool> is_cut{false};
    std::atomic<bool> losing{false};
    std::atomic<int> lost{0};
    std::optional<link> relay;

    void pump(int from, int to, bool answers) {
        char piece[65536];
        bool swallowing = false;
        for (auto got = ::recv(from, piece, sizeof piece, 0); got > 0; got = ::recv(from, piece, sizeof piece, 0)) {
            auto const size = static_cast<std::size_t>(got);
            swallowing = swallowing || (answers && losing.exchange(false));
            if (swallowing && ends_answer({piece, size})) break;
            if (!swallowing && ::send(to, piece, size, MSG_NOSIGNAL) != got) break;
        }
        if (swallowing) ++lost;
        ::shutdown(from, SHUT_RDWR);
        ::shutdown(to, SHUT_RDWR);
    }

    int dial() const {
        if (is_cut) return -1;
        int const server = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        auto const there = loopback(server_port);
        if (::connect(server, reinterpret_cast<sockaddr const*>(&there), sizeof there) == 0) return server;
        ::close(server);
        return -1;
    }
};

cut_link::cut_link(std::string const& url) : state_(std::make_unique<state>()) {
    auto& s = *state_;
    auto const path = url.find('/', url.find("://") + 3);
    auto const colon = url.rfind(':', path);
    s.server_port = static_cast<std::uint16_t>(std::stoi(url.substr(colon + 1, path - colon - 1)));
    int const listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    auto here = loopback(0);
    socklen_t size = sizeof here;
    auto* const generic = reinterpret_cast<sockaddr*>(&here);
    if (::bind(listener, generic, size) != 0 || ::listen(listener, 64) != 0 ||
        ::getsockname(listener, generic, &size) != 0)
        throw std::runtime_error("the link can't listen");
    s.url = url.substr(0, colon + 1) + std::to_string(ntohs(here.sin_port)) + url.substr(path);
    s.relay.emplace(
        listener, [&s] { return s.dial(); }, [&s](int from, int to, bool answers) { s.pump(from, to, answers); });
}

cut_link::~cut_link() = default;

std::string const& cut_link::url() const noexcept { return state_->url; }

void cut_link::cut() {
    state_->is_cut = true;
    state_->relay->end_all();
}

void cut_link::join() { state_->is_cut = false; }

void cut_link::lose_an_answer() { state_->losing = true; }

int cut_link::answers_lost() const noexcept { return state_->lost; }

} // namespace recruiting::test
