// Reads what the programs' admin ports say: /readyz and /metrics of each, all at once.
#pragma once
#include "core/settings.hpp"
#include "recruitctl/top/reading.hpp"

namespace recruiting::recruitctl::top {

struct target {
    std::string program;
    endpoint where; // its admin port
};

/// In the order of the targets; takes as long as the slowest, at most the limit.
[[nodiscard]] std::vector<reading> look_at(std::vector<target> const& targets, std::chrono::milliseconds limit);

} // namespace recruiting::recruitctl::top
