// Notes when and from where each key was last used, off the request's path: kept to the minute, written every few
// seconds. One a thread. What a crash loses is a few seconds of last uses; the audit log has them all.
#pragma once
#include "async/task.hpp"
#include "core/ids.hpp"
#include "core/ip.hpp"
#include "pg/pipeline.hpp"

#include <chrono>
#include <memory>

namespace recruiting::auth_api {

class last_use {
public:
    /// connection is the thread's audit connection and outlives this.
    last_use(asio::io_context& context, pg::pipeline& connection,
             std::chrono::milliseconds interval = std::chrono::seconds{5});
    ~last_use();

    /// For an authenticated request. Of the uses in one minute the first counts.
    void note(uuid const& credential, ip_address const& address, timestamp now);
    /// Writes what is noted; while PostgreSQL is unavailable it stays noted. For the drain; the interval does it
    /// otherwise.
    [[nodiscard]] task<void> flush();
    void stop();

private:
    struct state;
    std::shared_ptr<state> state_;
};

} // namespace recruiting::auth_api
