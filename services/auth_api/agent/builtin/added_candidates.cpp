#include "auth_api/agent/builtin/added_candidates.hpp"

namespace recruiting::auth_api::agent::responder {
namespace {

bool added_before(record const& candidate, timestamp time) {
    auto const added = parse_time(candidate.text("createdAt"));
    return added && *added < time;
}

} // namespace

void keep_added_in(listing& candidates, time_range const& when) {
    bool const reaches_back =
        !candidates.items.empty() && when.from && added_before(candidates.items.back(), *when.from);
    candidates.complete = candidates.complete || reaches_back;
    std::erase_if(candidates.items, [&when](record const& one) {
        return (when.from && added_before(one, *when.from)) || (when.before && !added_before(one, *when.before));
    });
}

} // namespace recruiting::auth_api::agent::responder
