// Which runs this process holds and until when it may trust in that. Pure. Times are of the own clock, counted from
// when a renewal was sent: never later than what PostgreSQL has.
#pragma once
#include "async/ticker.hpp"
#include "core/ids.hpp"

#include <map>
#include <span>
#include <vector>

namespace recruiting::auth_api::agent {

/// What PostgreSQL says of the runs that were asked for.
struct renewal {
    std::vector<uuid> kept;    // still the owner's
    std::vector<uuid> renewed; // of those
};

class lease_table {
public:
    using time = coarse_clock::time_point;

    void hold(uuid const& run, time until) { held_[run] = until; }
    void release(uuid const& run) { held_.erase(run); }

    [[nodiscard]] bool empty() const noexcept { return held_.empty(); }
    [[nodiscard]] std::vector<uuid> runs() const;
    /// Is its time up, or is it not held at all?
    [[nodiscard]] bool is_over(uuid const& run, time now) const;
    /// A renewal of these was answered. Returns those lost, and lets go of them.
    [[nodiscard]] std::vector<uuid> renew(std::span<uuid const> asked, renewal const& answer, time until);
    /// No answer came for too long. Returns those whose time is up, and lets go of them.
    [[nodiscard]] std::vector<uuid> expire(time now);

private:
    std::map<uuid, time> held_;
};

} // namespace recruiting::auth_api::agent
