// A blocking server on 127.0.0.1 with a thread a connection: what the doubles of other people's servers stand on.
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace recruiting::test {

class loopback_server {
public:
    using serve_function = std::function<void(int fd, std::atomic<bool> const& stopping)>;
    /// serve gets each connection's descriptor, which is closed when it returns. Throws std::runtime_error when no port
    /// can be listened on.
    explicit loopback_server(serve_function serve);
    /// Shuts the connections down and waits for their threads.
    ~loopback_server();
    loopback_server(loopback_server const&) = delete;
    loopback_server& operator=(loopback_server const&) = delete;

    [[nodiscard]] std::uint16_t port() const noexcept { return port_; }
    /// How many were accepted so far.
    [[nodiscard]] int connections() const noexcept { return connections_; }

private:
    void accept_all();

    serve_function serve_;
    int listener_;
    std::uint16_t port_{0};
    std::atomic<bool> stopping_{false};
    std::atomic<int> connections_{0};
    std::mutex mutex_;
    std::set<int> open_;
    std::vector<std::thread> threads_;
    std::thread accepting_;
};

} // namespace recruiting::test
