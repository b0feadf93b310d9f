#include "auth_api/agent/run/lease_table.hpp"

#include <algorithm>

namespace recruiting::auth_api::agent {

std::vector<uuid> lease_table::runs() const {
    std::vector<uuid> out;
    for (auto const& [run, until] : held_) out.push_back(run);
    return out;
}

bool lease_table::is_over(uuid const& run, time now) const {
    auto const found = held_.find(run);
    return found == held_.end() || now >= found->second;
}

std::vector<uuid> lease_table::renew(std::span<uuid const> asked, renewal const& answer, time until) {
    auto const holds = [](std::vector<uuid> const& ids, uuid const& id) {
        return std::find(ids.begin(), ids.end(), id) != ids.end();
    };
    std::vector<uuid> lost;
    for (auto const& run : asked) {
        auto const found = held_.find(run);
        if (found == held_.end()) continue; // ended while the renewal was under way
        if (holds(answer.renewed, run)) {
            found->second = until;
        } else if (!holds(answer.kept, run)) {
            lost.push_back(run);
            held_.erase(found);
        }
    }
    return lost;
}

std::vector<uuid> lease_table::expire(time now) {
    std::vector<uuid> lost;
    for (auto const& [run, until] : held_)
        if (now >= until) lost.push_back(run);
    for (auto const& run : lost) held_.erase(run);
    return lost;
}

} // namespace recruiting::auth_api::agent
