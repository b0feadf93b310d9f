// What is waiting to be reported of exposed keys: bounded, each key once in a while, so that a flood costs nothing.
// Each client has a small budget a minute, so that made-up keys leave room for real ones. Shared by all threads; what
// is no key by its form and checksum was not found.
#pragma once
#include "core/fair_budget.hpp"
#include "core/ids.hpp"
#include "core/seen_lately.hpp"
#include "core/time.hpp"
#include "telemetry/metrics.hpp"

#include <mutex>
#include <string>
#include <vector>

namespace recruiting::public_api {

struct exposure {
    uuid id{new_record_id()};
    timestamp seen_at;
    std::string secret;
    std::string place;
    std::string method;
    std::string endpoint; // the route's template; empty: none
    std::string client;   // address; empty: not known
    std::string user_agent;
    std::string request_id;
};

class exposure_queue {
public:
    exposure_queue(std::size_t most, std::chrono::milliseconds repeat, metrics::registry& registry);

    void note(exposure seen, seen_lately::clock::time_point now);
    [[nodiscard]] std::vector<exposure> take();
    /// Those that could not be written: before the ones that came meanwhile.
    void put_back(std::vector<exposure> unwritten);
    void count_written() { reported_.add(); }

private:
    std::mutex mutex_;
    std::vector<exposure> waiting_;
    std::size_t most_;
    seen_lately known_;
    fair_budget budget_{{}, std::chrono::minutes{1}};
    metrics::counter& reported_;
    metrics::counter& dropped_;
    metrics::counter& over_budget_;
};

} // namespace recruiting::public_api
