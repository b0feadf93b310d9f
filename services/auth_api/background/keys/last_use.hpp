// Notes when and from where each key or session was last used, off the request's path: kept to the minute, written
// every few seconds. One per thread and kind. What a crash loses is a few seconds of last uses; the audit log has them
// all.
#pragma once
#include "async/task.hpp"
#include "core/ids.hpp"
#include "core/ip.hpp"
#include "pg/pipeline.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

namespace recruiting::auth_api {

/// The first use of a key or a session in a minute.
struct noted_use {
    uuid id;
    ip_address address;
    timestamp at;
};
/// A whole segment that writes these. It never sets a last use back.
using use_writer = std::function<std::vector<pg::statement>(std::vector<noted_use> const&)>;
[[nodiscard]] std::vector<pg::statement> write_key_uses(std::vector<noted_use> const& uses);

class last_use {
public:
    /// connection is the thread's audit connection and outlives this.
    last_use(asio::io_context& context, pg::pipeline& connection,
             std::chrono::milliseconds interval = std::chrono::seconds{5}, use_writer write = write_key_uses);
    ~last_use();

    /// For an authenticated request. Of the uses in one minute the first counts.
    void note(uuid const& id, ip_address const& address, timestamp now);
    /// Writes what is noted; while PostgreSQL is unavailable it stays noted. For the drain; the interval does it
    /// otherwise.
    [[nodiscard]] task<void> flush();
    void stop();

private:
    struct state;
    std::shared_ptr<state> state_;
};

} // namespace recruiting::auth_api
