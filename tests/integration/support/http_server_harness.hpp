// The HTTP server of libs/http on a thread of its own, with a handler whose paths do what a test needs:
//   /echo    "METHOD path|query|body|value of X-Test"     /close   answers and closes
//   /wait    answers when released                        /throw   fails
//   /stream  three pieces, streamed                       /cut     a piece, then fails
//   /large   eight MiB                                    /readyz  200, or 503 while it drains
// A request with X-Refuse is refused by its head: 401, or a failure when the value is "throw".
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

namespace recruiting::test {

struct harness_settings {
    std::int64_t headers_limit{4096};
    std::int64_t body_limit{1000};
    std::chrono::milliseconds read_timeout{10'000};
    std::chrono::milliseconds idle_timeout{10'000};
    std::chrono::milliseconds write_timeout{10'000};
    std::chrono::milliseconds drain_delay{0};
    std::uint16_t port{0};                              // 0: a free one
    std::function<void(std::string_view)> on_body = {}; // of every request, on the server's thread
};

class http_server_harness {
public:
    explicit http_server_harness(harness_settings const& settings = {});
    ~http_server_harness();

    [[nodiscard]] std::uint16_t port() const;
    void release(); // /wait may answer
    void drain();   // the first step of a stop
    void close();   // the second
    [[nodiscard]] bool drained() const;
    [[nodiscard]] std::size_t connections() const;
    /// Requests that reached the handler.
    [[nodiscard]] int handled() const;
    /// Is /wait being answered right now?
    [[nodiscard]] bool waiting() const;

private:
    struct state;
    std::unique_ptr<state> state_;
};

/// A port that nobody else is given as long as this process lives: the socket stays bound. A service shares it
/// (SO_REUSEPORT), and so could one of another test that has found the same port free.
[[nodiscard]] std::uint16_t own_port();

/// Looks every few milliseconds until it holds, for five seconds at most.
template <class Condition>
[[nodiscard]] bool eventually(Condition condition);

} // namespace recruiting::test

#include <thread>

template <class Condition>
bool recruiting::test::eventually(Condition condition) {
    for (auto const end = std::chrono::steady_clock::now() + std::chrono::seconds{30};
         std::chrono::steady_clock::now() < end;) {
        if (condition()) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds{5});
    }
    return condition();
}
