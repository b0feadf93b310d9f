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
#include <string>

namespace recruiting::gateway {

/// Reports that wait, in order. When they are as many as may be, a client with more than one gives its last for the
/// first of another.
struct waiting_reports {
    struct report {
        ip_address client;
        std::string text;
    };
    static constexpr std::size_t most = 64;
    /// The report to fill in; nullptr: there is no room. The first one, which may be under way, stays.
    [[nodiscard]] report* add(ip_address const& client);
    [[nodiscard]] bool is_full() const noexcept { return list.size() >= most; }
    std::list<report> list; // the first one's text is being sent: it must not move
};

class exposure_reporter {
public:
    /// budget: a minute's, of all threads.
    exposure_reporter(asio::io_context& context, upstream& to, std::chrono::milliseconds limit, fair_budget& budget,
                      metrics::registry& registry);

    /// For a request that was refused because of a credential. owner keeps this alive while it is at work.
    void note(request_context const& x, std::shared_ptr<void> owner);

private:
    task<void> work(std::shared_ptr<void> owner);
    task<bool> send();

    asio::io_context& context_;
    upstream& to_;
    std::chrono::milliseconds limit_;
    fair_budget& budget_;
    metrics::counter& reported_;
    metrics::counter& dropped_;
    metrics::counter& over_budget_;
    seen_lately known_{1024, std::chrono::minutes{1}};
    waiting_reports waiting_;
    bool working_{false};
};

} // namespace recruiting::gateway
