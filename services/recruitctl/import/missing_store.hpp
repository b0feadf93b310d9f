// Jobs that a board had and has no longer.
#pragma once
#include "pg/client.hpp"
#include "recruitctl/import/board.hpp"

namespace recruiting::recruitctl {

struct missing_job {
    std::string external_id;
    std::string title;
};

/// The organization's open jobs of that board whose external id is not among those seen, by external id.
[[nodiscard]] std::vector<missing_job> find_missing_jobs(pg::client& on, uuid organization, board source,
                                                         std::set<std::string> const& seen);
/// Closes those of them that are open still, and takes them off the careers page.
void close_jobs(pg::client& on, uuid organization, std::vector<missing_job> const& jobs);

} // namespace recruiting::recruitctl
