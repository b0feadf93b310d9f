// Organizations as operations. What the caller can cause comes back as a result; an outage throws.
#pragma once
#include "core/error.hpp"
#include "directory/actor.hpp"
#include "directory/records.hpp"
#include "pg/client.hpp"

namespace recruiting::directory {

/// Reads slug, name, the URLs, time zone and country of `wanted`; the rest is filled in. The organization starts with a
/// trialing subscription. Refused: a slug that is taken, invalid values (all told at once).
[[nodiscard]] result<organization> create_organization(pg::client& database, organization const& wanted,
                                                       actor const& by = {});
[[nodiscard]] result<organization> find_organization(pg::client& database, std::string_view slug);
/// By slug.
[[nodiscard]] std::vector<organization> list_organizations(pg::client& database);

} // namespace recruiting::directory
