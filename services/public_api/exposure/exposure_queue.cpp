#include "public_api/exposure/exposure_queue.hpp"

#include <iterator>
#include <utility>

namespace recruiting::public_api {
namespace {

constexpr std::size_t most_known = 4096;

metrics::counter& outcome(metrics::registry& registry, std::string const& name) {
    return registry.add_counter("recruiting_public_api_exposed_keys_total",
                                "API keys sent here that could be real, by what became of it.",
                                "outcome=\"" + name + '"');
}

} // namespace

exposure_queue::exposure_queue(std::size_t most, std::chrono::milliseconds repeat, metrics::registry& registry)
    : most_(most), known_(most_known, repeat), reported_(outcome(registry, "reported")),
      dropped_(outcome(registry, "dropped")), over_budget_(outcome(registry, "over_budget")) {}

void exposure_queue::note(exposure seen, seen_lately::clock::time_point now) {
    std::scoped_lock const lock(mutex_);
    if (waiting_.size() >= most_) return dropped_.add();
    if (!known_.is_new(seen.secret, now)) return;
    auto const client = parse_ip(seen.client);
    if (client && !budget_.take(*client, now)) return over_budget_.add();
    waiting_.push_back(std::move(seen));
}

std::vector<exposure> exposure_queue::take() {
    std::scoped_lock const lock(mutex_);
    return std::exchange(waiting_, {});
}

void exposure_queue::put_back(std::vector<exposure> unwritten) {
    std::scoped_lock const lock(mutex_);
    unwritten.insert(unwritten.end(), std::make_move_iterator(waiting_.begin()),
                     std::make_move_iterator(waiting_.end()));
    waiting_ = std::move(unwritten);
}

} // namespace recruiting::public_api
