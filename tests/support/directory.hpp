// Organizations, members and keys for tests, through the operations the programs use.
#pragma once
#include "directory/api_keys.hpp"
#include "directory/organizations.hpp"

#include <string>

namespace recruiting::test {

/// A slug nothing else has.
[[nodiscard]] std::string new_slug();
/// An organization with this slug and an active admin, admin@<slug>.example.
directory::organization make_organization(pg::client& database, std::string const& slug);
/// Another organization has added every person of make_member before, under this name: no test's organization shows it.
inline constexpr std::string_view name_given_elsewhere = "A name that strangers gave";
/// "Member NAME" for NAME@….
directory::member make_member(pg::client& database, std::string const& slug, std::string const& email, role held);
/// A key with the pepper and environment of the tests, valid for 30 days.
directory::created_api_key make_key(pg::client& database, std::string const& slug, std::string const& owner,
                                    std::vector<std::string> const& scopes);
[[nodiscard]] directory::key_settings test_key_settings();

} // namespace recruiting::test
