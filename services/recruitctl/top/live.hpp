// The live view: what the watch sees on the terminal, until somebody quits.
#pragma once
#include "recruitctl/top/look.hpp"

namespace recruiting::recruitctl::top {

struct live_settings {
    std::vector<target> targets;
    std::chrono::milliseconds interval{2'000};
    bool colour{true};
    bool utf8{true};
};

/// Throws std::system_error when there is no terminal.
void show_live(live_settings const& settings);

/// "14:02:11", local time.
[[nodiscard]] std::string clock_text();

} // namespace recruiting::recruitctl::top
