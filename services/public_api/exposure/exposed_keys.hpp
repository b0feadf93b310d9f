// API keys that clients sent where none may be sent (proto-docs/keys.md): how they are found in a request, the queue of
// those that wait to be reported, and the task that writes the reports.
#pragma once
#include "async/periodic_task.hpp"
#include "audit/event_store.hpp"
#include "core/fair_budget.hpp"
#include "core/ip.hpp"
#include "crypto/api_key_form.hpp"
#include "http/message.hpp"
#include "pg/pipeline.hpp"
#include "telemetry/metrics.hpp"

#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace recruiting::public_api {

struct sent_key {
    exposed_key key;
    std::string method; // of the request that had it
};

/// The first key in a field, the target or the body; only text with a key's form and checksum counts. Pure. The report
/// of a gateway (a trusted proxy) on a request that the gateway rejected takes precedence.
[[nodiscard]] std::optional<sent_key> find_exposed_key(http::request const& req,
                                                       std::vector<ip_network> const& trusted_proxies);

struct exposure {
    audit::exposure_report report;
    std::string secret;
};

/// Bounded. Each key is queued once in a while only, so that a flood costs nothing, and each client has a small budget
/// per minute, so that made-up keys leave room for real ones. Shared by all threads.
class exposure_queue {
public:
    exposure_queue(std::size_t most, std::chrono::milliseconds repeat, metrics::registry& registry);

    void note(exposure seen, recent_set::clock::time_point now);
    [[nodiscard]] std::vector<exposure> take();
    /// Those that could not be written: before the ones that came meanwhile.
    void put_back(std::vector<exposure> unwritten);
    void count_written() { reported_.add(); }

private:
    std::mutex mutex_;
    std::vector<exposure> waiting_;
    std::size_t most_;
    recent_set known_;
    fair_budget budget_{{}, std::chrono::minutes{1}};
    metrics::counter& reported_;
    metrics::counter& dropped_;
    metrics::counter& over_budget_;
};

/// Writes what the queue holds, sealed, off every request's path. One per process; while PostgreSQL is unavailable it
/// waits.
class exposure_reporter : public task_owner {
public:
    /// connection and queue outlive this.
    exposure_reporter(asio::io_context& context, pg::pipeline& connection, exposure_queue& queue);
};

} // namespace recruiting::public_api
