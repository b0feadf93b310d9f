// Organizations as operations. What the caller can cause comes back as a result; an outage throws.
#pragma once
#include "core/error.hpp"
#include "directory/records.hpp"
#include "pg/client.hpp"

namespace recruiting::directory {

/// Reads slug, name, the URLs, time zone and country of `wanted`; the rest is filled in. The organization starts with a
/// trialing subscription. Refused: a slug that is taken, invalid values (all told at once).
[[nodiscard]] result<organization> create_organization(pg::client& database, organization const& wanted,
                                                       actor const& by = {});
[[nodiscard]] result<organization> find_organization(pg::client& database, std::string_view slug);
/// Where interviews meet when neither their slot nor the interviewer has an address; nullopt: nowhere. Refused: what is
/// no template with {room}.
[[nodiscard]] result<organization> set_room_url(pg::client& database, std::string_view slug,
                                                std::optional<std::string> const& url, actor const& by = {});
/// By slug.
[[nodiscard]] std::vector<organization> list_organizations(pg::client& database);

} // namespace recruiting::directory
