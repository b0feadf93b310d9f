// After a restore or a promotion: which keys are revoked, heads, revocations and erasures in files kept outside the
// database, and whether this database was restored since an operator last found all revocations in it.
#pragma once
#include "audit/verify.hpp"
#include "core/ids.hpp"
#include "core/time.hpp"
#include "pg/client.hpp"
#include "recruitctl/erasure/erase_store.hpp"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace recruiting::recruitctl {

struct revoked_key {
    uuid id;
    uuid organization_id;
    timestamp revoked_at;
};
/// Those that would work again without their revocation: none that has expired. In the order of their ids.
[[nodiscard]] std::vector<revoked_key> select_revoked_keys(pg::client& database, std::optional<uuid> const& of);

struct identity_facts {
    bool restored{false}; // another database, or tables made again: from a dump
    bool upgraded{false}; // another server with the same tables, which only pg_upgrade makes
    std::optional<std::int64_t> confirmed_timeline, timeline; // nothing: PostgreSQL keeps it from this role
    timestamp confirmed_at;
    bool was_known{true}; // PostgreSQL showed the server and its timeline when they were confirmed
    bool known{true};     // and shows them now
};
/// Was it restored, upgraded or promoted since an operator confirmed it, as far as PostgreSQL shows? Pure.
[[nodiscard]] bool is_another(identity_facts const& of) noexcept;
/// What was confirmed last, beside what PostgreSQL shows now.
[[nodiscard]] identity_facts select_identity(pg::client& database);
/// From now on this is the database in which all revocations are.
void confirm_identity(pg::client& database);

// What `audit head --json` printed and was kept elsewhere: heads of audit chains for `audit verify --head`, and the
// keys that were revoked for `key revoke --from`, what was erased for `candidate erase --from`.

/// A document a line: one head, or {"data": […]} of all organizations. Throws failure when the file can't be read or a
/// line is no head.
[[nodiscard]] std::vector<std::pair<uuid, audit::kept_head>> read_heads_file(std::string const& path);

struct kept_revocations {
    std::map<uuid, revoked_key> keys;                 // by id
    std::map<uuid, erasure::erased_subject> erasures; // by the subject's id
    std::optional<timestamp> taken_at;                // of the newest document that names revoked keys
    std::optional<timestamp> all_taken_at;            // of the newest one that names those of all organizations
};

/// The same documents. Throws failure as well when there is none.
[[nodiscard]] kept_revocations read_revocations_file(std::string const& path);

} // namespace recruiting::recruitctl
