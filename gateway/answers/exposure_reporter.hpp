// Sends what the edge saw of keys to the public API's service, behind the clients' backs: they are answered before, so
// that nothing of it shows in what they get or how long it takes. One a thread; one report at a time, few waiting.
// Anyone can make up keys of the right form: each client has a small budget of reports, so that they leave room for
// real ones.
#pragma once
#include "core/fair_budget.hpp"
#include "core/seen_lately.hpp"
#include "gateway/answers/credential_exposure.hpp"
#include "gateway/upstream/pool.hpp"

#include <chrono>
#include <list>
#include <memory>
#include <mutex>
#include <string>

namespace recruiting::gateway {

struct exposure_metrics {
    explicit exposure_metrics(metrics::registry& registry);
    metrics::counter& reported;
    metrics::counter& dropped;
    metrics::counter& over_budget;
};

/// What a minute's reports may be, for all threads of the process.
class exposure_budget {
public:
    [[nodiscard]] bool take(ip_address const& client, fair_budget::clock::time_point now) {
        std::lock_guard const lock(mutex_);
        return budget_.take(client, now);
    }

private:
    std::mutex mutex_;
    fair_budget budget_{{}, std::chrono::minutes{1}};
};

/// Reports that wait, in order. When they are as many as may be, a client with more than one gives its last for the
/// first of another.
class waiting_reports {
public:
    struct report {
        ip_address client;
        std::string text;
    };
    /// The report to fill in; nullptr: there is no room. The first one, which may be under way, stays.
    [[nodiscard]] report* add(ip_address const& client);
    [[nodiscard]] report const& front() const noexcept { return waiting_.front(); }
    void pop_front() { waiting_.pop_front(); }
    [[nodiscard]] bool empty() const noexcept { return waiting_.empty(); }
    [[nodiscard]] bool is_full() const noexcept { return waiting_.size() >= most; }
    static constexpr std::size_t most = 64;

private:
    std::list<report> waiting_; // the first one's text is being sent: it must not move
};

class exposure_reporter {
public:
    exposure_reporter(asio::io_context& context, upstream& to, std::chrono::milliseconds limit, exposure_budget& budget,
                      exposure_metrics& counters)
        : context_(context), to_(to), limit_(limit), budget_(budget), counters_(counters) {}

    /// For a request that was refused because of a credential. owner keeps this alive while it is at work.
    void note(request_context const& x, std::shared_ptr<void> owner);

private:
    task<void> work(std::shared_ptr<void> owner);
    task<bool> send();

    asio::io_context& context_;
    upstream& to_;
    std::chrono::milliseconds limit_;
    exposure_budget& budget_;
    exposure_metrics& counters_;
    seen_lately known_{1024, std::chrono::minutes{1}};
    waiting_reports waiting_;
    bool working_{false};
};

} // namespace recruiting::gateway
