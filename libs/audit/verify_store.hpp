// Reads the chains for verification with the blocking client, in one snapshot, streamed: any number of rows at flat
// memory. As recruiting_owner, who sees every organization.
#pragma once
#include "audit/verify.hpp"
#include "pg/client.hpp"

#include <optional>
#include <vector>

namespace recruiting::audit {

/// One organization, or all.
using organization_choice = std::optional<uuid>;

struct verify_counts {
    std::int64_t organizations{0};
    std::int64_t sealed{0};   // rows checked
    std::int64_t unsealed{0}; // rows that wait in the intake
    std::int64_t discrepancies{0};
};

/// kept_heads: (organization, head), as audit head printed them. Each discrepancy goes to report when it is found.
/// Throws std::runtime_error while a migration still moves the log's hashes.
[[nodiscard]] verify_counts verify(pg::client& database, organization_choice const& of,
                                   std::vector<std::pair<uuid, kept_head>> const& kept_heads,
                                   chain_check::report const& report);

struct named_head {
    uuid organization_id;
    std::string slug; // the id when the organization is gone
    chain_end end;
    std::optional<timestamp> occurred_at; // of the last row; none when retention took it
};
[[nodiscard]] std::vector<named_head> read_heads(pg::client& database, organization_choice const& of);
[[nodiscard]] std::optional<uuid> organization_by_slug(pg::client& database, std::string_view slug);

} // namespace recruiting::audit
