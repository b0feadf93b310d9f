// Sends what the edge saw of keys to the public API's service, behind the clients' backs: they are answered before, so
// that nothing of it shows in what they get or how long it takes. One a thread; one report at a time, few waiting.
#pragma once
#include "core/seen_lately.hpp"
#include "gateway/answers/credential_exposure.hpp"
#include "gateway/upstream/pool.hpp"

#include <chrono>
#include <deque>
#include <memory>
#include <string>

namespace recruiting::gateway {

struct exposure_metrics {
    explicit exposure_metrics(metrics::registry& registry);
    metrics::counter& reported;
    metrics::counter& dropped;
};

class exposure_reporter {
public:
    exposure_reporter(asio::io_context& context, upstream& to, std::chrono::milliseconds limit,
                      exposure_metrics& counters)
        : context_(context), to_(to), limit_(limit), counters_(counters) {}

    /// For a request that was refused because of a credential. owner keeps this alive while it is at work.
    void note(request_context const& x, std::shared_ptr<void> owner);

private:
    task<void> work(std::shared_ptr<void> owner);
    task<bool> send();

    asio::io_context& context_;
    upstream& to_;
    std::chrono::milliseconds limit_;
    exposure_metrics& counters_;
    seen_lately known_{1024, std::chrono::minutes{1}};
    std::deque<std::string> waiting_;
    bool working_{false};
};

} // namespace recruiting::gateway
