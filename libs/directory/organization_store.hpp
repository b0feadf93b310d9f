// The SQL of organizations.
#pragma once
#include "directory/records.hpp"
#include "pg/client.hpp"

namespace recruiting::directory::store {

[[nodiscard]] bool is_time_zone(pg::client& database, std::string_view name);
/// False: the slug is taken.
[[nodiscard]] bool insert_organization(pg::client& database, uuid const& id, organization const& wanted);
void insert_trial(pg::client& database, uuid const& organization_id);
[[nodiscard]] std::optional<organization> select_organization(pg::client& database, std::string_view slug);
[[nodiscard]] std::vector<organization> select_organizations(pg::client& database);
/// Locks the organization's row until the transaction ends: changes of its members wait for each other.
[[nodiscard]] std::optional<uuid> lock_organization(pg::client& database, std::string_view slug);
void update_room_url(pg::client& database, uuid const& organization_id, std::optional<std::string> const& url);

} // namespace recruiting::directory::store
