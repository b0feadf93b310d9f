// A thread's connection to Redis: pipelined, reconnecting by itself, and never waited for longer than the answer limit.
// With Sentinels it is always one to the master, and follows it through a failover (proto-docs/decisions/0037).
// When Redis is unavailable or slow the caller's batch is refused at once, and it decides alone (the gateway's rate
// limits, the booking limits).
#pragma once
#include "async/task.hpp"
#include "redis/address.hpp"
#include "redis/protocol.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

namespace recruiting::redis {

struct options {
    std::chrono::milliseconds response_limit{50};   // for a batch, from its write to its last reply
    std::chrono::milliseconds connect_limit{500};   // for TCP, TLS, AUTH, SELECT and a PING together
    std::chrono::milliseconds retry_pause{200};     // between attempts to connect
    std::chrono::milliseconds sentinel_check{1000}; // between questions whether the master is still the same
    /// Called at every change; why is empty when up.
    std::function<void(bool up, std::string_view why)> on_state{};
};

/// How a batch ended. refused: nothing was sent. lost: sent, but no answer came (in time): it may have been done.
enum class batch_status { answered, refused, lost };

class connection {
public:
    /// Called exactly once for a batch, with as many replies as it has commands when answered.
    using handler = std::function<void(batch_status, std::vector<reply>&)>;

    connection(asio::io_context& context, address to, options how = {});
    ~connection();
    connection(connection const&) = delete;
    connection& operator=(connection const&) = delete;

    [[nodiscard]] bool ready() const noexcept;
    /// Writes now; when refused, the handler is called before send returns. Unless it is answered by late_at, the
    /// connection is given up: batches are due in the order they are sent.
    void send(batch const& commands, handler done, std::chrono::steady_clock::time_point late_at);
    void send(batch const& commands, handler done); // due after the answer limit
    /// Drops the connection and makes no other.
    void stop();

private:
    struct state;
    std::shared_ptr<state> state_;
};

} // namespace recruiting::redis
