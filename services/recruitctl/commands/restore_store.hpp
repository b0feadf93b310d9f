// Which keys are revoked, for files kept outside the database, and whether this database was restored since an operator
// last found all revocations in it.
#pragma once
#include "core/ids.hpp"
#include "core/time.hpp"
#include "pg/client.hpp"

#include <optional>
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
    bool restored{false}; // another server, another database, or tables made again: from a dump
    std::optional<std::int64_t> confirmed_timeline, timeline; // nothing: PostgreSQL keeps it from this role
    timestamp confirmed_at;
    bool was_known{true}; // PostgreSQL told which server it is, and its timeline, when that was confirmed
    bool known{true};     // and tells it now
};
/// Was it restored or promoted since an operator confirmed it, as far as PostgreSQL tells? Pure.
[[nodiscard]] bool is_another(identity_facts const& of) noexcept;
/// What was confirmed last beside what PostgreSQL says now.
[[nodiscard]] identity_facts select_identity(pg::client& database);
/// From now on this is the database in which all revocations are.
void confirm_identity(pg::client& database);

} // namespace recruiting::recruitctl
