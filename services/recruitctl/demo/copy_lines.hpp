// The demo's records as lines of COPY's text format, in the order of demo_store's temporary tables.
#pragma once
#include "recruitctl/demo/data.hpp"

#include <span>

namespace recruiting::recruitctl {

struct demo_job_lines {
    std::string jobs, stages, teams;
};
struct demo_candidate_lines {
    std::string candidates, applications;
};

[[nodiscard]] demo_job_lines copy_lines_of(uuid organization, std::vector<uuid> const& memberships,
                                           std::span<demo_job const> jobs);
[[nodiscard]] demo_candidate_lines copy_lines_of(uuid organization, std::span<demo_candidate const> candidates);

} // namespace recruiting::recruitctl
