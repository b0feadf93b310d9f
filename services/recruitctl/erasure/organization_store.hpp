// Deleting an organization with everything it has, its audit log included.
#pragma once
#include "pg/client.hpp"

#include <cstdint>
#include <functional>
#include <string_view>

namespace recruiting::recruitctl::erasure {

struct organization_counts {
    std::int64_t members{0}, keys{0}, jobs{0}, candidates{0}, sessions{0}, interviews_ahead{0};
};
[[nodiscard]] organization_counts count_organization(pg::client& database, uuid const& organization_id);

/// Nothing acts for the organization from now on, and nothing of it is public: keys are revoked, members removed, runs
/// of the agent ended, jobs withdrawn; waiting mails and booking requests are deleted. Lists its erasure. One
/// transaction.
void disable_organization(pg::client& database, uuid const& organization_id);

/// Deletes the rows in transactions of bounded size, the organization's own row last: killed at any moment, it is
/// called again. deleted: after each of them, with the table and its number of rows.
void delete_organization(pg::client& database, uuid const& organization_id,
                         std::function<void(std::string_view, std::int64_t)> const& deleted);

} // namespace recruiting::recruitctl::erasure
