// Loads the demo: what is missing of it, in batches that are each there as a whole or not at all, so that an
// interrupted load goes on where it stopped and a second one changes nothing.
#pragma once
#include "recruitctl/demo/store.hpp"
#include "recruitctl/import/progress.hpp"

namespace recruiting::recruitctl {

struct demo_options {
    std::string organization{"acme"};
    std::uint64_t jobs{40};
    std::uint64_t candidates{1000};
    std::uint64_t seed{1};
    std::size_t batch{20'000};
};

struct demo_result {
    demo_state state;
    std::uint64_t added_jobs{0};
    std::uint64_t added_candidates{0};
    std::int64_t opened_slots{0};
    std::optional<timestamp> slot; // one to book, for candidate 0
};

/// Throws failure when the organization is not the demo's, or holds demo data of another seed.
[[nodiscard]] demo_result load_demo(pg::client& client, demo_options const& options, import_progress& progress);

} // namespace recruiting::recruitctl
