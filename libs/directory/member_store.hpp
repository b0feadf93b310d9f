// The SQL of users and memberships. E-mail addresses are compared without case.
#pragma once
#include "directory/records.hpp"
#include "pg/client.hpp"

namespace recruiting::directory::store {

[[nodiscard]] std::optional<member> select_member(pg::client& database, uuid const& organization_id,
                                                  std::string_view email);
[[nodiscard]] std::vector<member> select_members(pg::client& database, uuid const& organization_id, bool with_removed);
/// Active admins besides this member.
[[nodiscard]] std::int64_t count_other_admins(pg::client& database, uuid const& organization_id, uuid const& member_id);
/// Nothing: the person is not known and no name was given.
[[nodiscard]] std::optional<uuid> find_or_insert_user(pg::client& database, std::string_view email,
                                                      std::optional<std::string> const& name);
void insert_member(pg::client& database, uuid const& organization_id, uuid const& user_id, role held,
                   std::optional<std::string> const& title);
/// No title: the former one stays.
void revive_member(pg::client& database, uuid const& member_id, role held, std::optional<std::string> const& title);
void update_role(pg::client& database, uuid const& member_id, role held);
void remove_member(pg::client& database, uuid const& member_id);
void update_join_url(pg::client& database, uuid const& member_id, std::optional<std::string> const& url);

} // namespace recruiting::directory::store
