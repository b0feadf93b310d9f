// The canonical addresses of what was stored before migration 0054, and what doctor reports of those that could not get
// one.
#pragma once
#include "pg/client.hpp"

#include <string>
#include <vector>

namespace recruiting::recruitctl {

/// The migration whose statements are followed by write_canonical_addresses.
inline constexpr int canonical_addresses_migration = 54;

/// In the migration's transaction: the canonical form of each address beyond plain ASCII. A person whose form another
/// has, whose address has none, or whose address lower() took for another one, keeps NULL.
void write_canonical_addresses(pg::client& database);

/// A person who has no canonical address.
struct undecided_person {
    std::string organization; // slug
    std::string email;        // as typed there
    std::string holder;       // "slug: address" of the person who has the canonical form; "": it has none
};
[[nodiscard]] std::vector<undecided_person> select_undecided_people(pg::client& database);

} // namespace recruiting::recruitctl
