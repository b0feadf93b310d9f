// An HTTP/1.1 server for one thread's io_context: own listening socket (SO_REUSEPORT), keep-alive, deadlines by the
// thread's ticker. Heads are parsed by Beast; answers are written with one gather write. The edge in front of the
// services ends TLS and is strict; this server still refuses what it can't read.
#pragma once
#include "async/ticker.hpp"
#include "core/error.hpp"
#include "core/settings.hpp"
#include "http/message.hpp"

#include <chrono>
#include <cstdint>
#include <memory>

namespace recruiting::http {

class handler {
public:
    virtual ~handler() = default;
    /// Throws only by mistake: the server then answers as reject(internal_error) and logs.
    virtual task<response> handle(request const& req) = 0;
    /// The answer to what never became a request (bad syntax, too large, too slow).
    [[nodiscard]] virtual response reject(api_error const& error) = 0;
};

struct server_settings {
    endpoint listen;
    std::uint32_t head_limit{32 * 1024};
    std::uint64_t body_limit{256 * 1024};
    std::chrono::milliseconds read_timeout{10'000};  // for a whole request, from its first byte
    std::chrono::milliseconds idle_timeout{75'000};  // between requests
    std::chrono::milliseconds write_timeout{30'000}; // without any progress
};

class server {
public:
    /// Binds at once; throws std::runtime_error naming the address when it can't.
    server(asio::io_context& context, ticker& clock, server_settings settings, handler& app);
    ~server();

    /// The first step of a stop: no new connection, idle ones are closed, busy ones after their answer.
    void drain();
    /// The second step: whatever is still open is closed.
    void close();
    [[nodiscard]] std::size_t connections() const noexcept;
    /// The address in use: the port when the setting said 0.
    [[nodiscard]] endpoint local() const;

private:
    struct state;
    std::shared_ptr<state> state_;
};

} // namespace recruiting::http
