// What `audit head --json` printed and was kept elsewhere: heads of audit chains for `audit verify --head`, and the
// keys that were revoked for `key revoke --from`.
#pragma once
#include "audit/verify.hpp"
#include "pg/client.hpp"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace recruiting::recruitctl {

/// A document a line: one head, or {"data": […]} of all organizations. Throws failure when the file can't be read or a
/// line is no head.
[[nodiscard]] std::vector<std::pair<uuid, audit::kept_head>> read_heads_file(std::string const& path,
                                                                             pg::client& database);

struct kept_revocation {
    uuid key;
    uuid organization_id;
    timestamp revoked_at;
};

struct kept_revocations {
    std::map<uuid, kept_revocation> keys;
    std::optional<timestamp> taken_at;     // of the newest document that names revoked keys
    std::optional<timestamp> all_taken_at; // of the newest one that names those of all organizations
};

/// The same documents. Throws failure as well when none of them names revoked keys: those of older versions don't.
[[nodiscard]] kept_revocations read_revocations_file(std::string const& path);

} // namespace recruiting::recruitctl
