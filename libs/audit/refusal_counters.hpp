// Which counter a request of a refused key is counted by (migration 0020): the one that all instances share, until that
// says that the minute of the key is full, and from then on the batcher's own. Pure; one a batcher.
#pragma once
#include "audit/event.hpp"

#include <map>
#include <span>
#include <vector>

namespace recruiting::audit {

class refusal_counters {
public:
    explicit refusal_counters(uuid own) : own_(own) {}

    /// Of each event, in their order.
    [[nodiscard]] std::vector<uuid> counters_of(std::span<event const> events) const;
    /// written: the ids of the events that got a row of their own; the others' minutes are full.
    void note(std::span<event const> events, std::span<uuid const> written);

private:
    uuid own_;
    std::map<uuid, timestamp> full_; // by key: the start of its latest full minute
};

} // namespace recruiting::audit
