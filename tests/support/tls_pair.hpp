// Two ends of a connection in one thread, for handshakes without a network.
#pragma once
#include "crypto/tls_session.hpp"
#include "support/tls_probe.hpp"

#include <array>
#include <sys/socket.h>
#include <unistd.h>

namespace recruiting::test {

class socket_pair {
public:
    socket_pair() {
        static_cast<void>(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends_.data()));
    }
    ~socket_pair() {
        close_client();
        ::close(ends_[1]);
    }
    socket_pair(socket_pair const&) = delete;
    socket_pair& operator=(socket_pair const&) = delete;
    [[nodiscard]] int client() const noexcept { return ends_[0]; }
    [[nodiscard]] int server() const noexcept { return ends_[1]; }
    void close_client() noexcept {
        if (ends_[0] >= 0) ::close(ends_[0]);
        ends_[0] = -1;
    }

private:
    std::array<int, 2> ends_{-1, -1};
};

/// A probe at one end, a session of ours at the other.
struct probed {
    probed(tls_session of_server, tls_offer const& offer) : server(std::move(of_server)), client(ends.client(), offer) {
        server.attach(ends.server());
        auto of_client = tls_probe::progress::wants_more;
        for (int round = 0; round < 20; ++round) {
            if (of_client == tls_probe::progress::wants_more) of_client = client.handshake();
            if (status == tls_status::want_read) status = server.handshake();
            // Tickets of TLS 1.3, and alerts, come after the client's part of the handshake.
            if (of_client == tls_probe::progress::done) static_cast<void>(client.read());
        }
        good = of_client == tls_probe::progress::done && status == tls_status::done;
    }
    socket_pair ends;
    tls_session server;
    tls_probe client;
    tls_status status{tls_status::want_read};
    bool good{false};
};

} // namespace recruiting::test
