// Who may change what in an organization (proto-docs/keys.md, concepts.md), and what a change of a member does to their
// API keys. The operations ask these for every actor: recruitctl, the agent's tools and the console have the same
// rules. Pure.
#pragma once
#include "core/error.hpp"
#include "directory/records.hpp"

#include <initializer_list>
#include <optional>

namespace recruiting::directory {

/// Viewers and interviewers own no keys that are made from now on; keys of before keep what their role lets through.
[[nodiscard]] bool may_own_keys(role held) noexcept;

/// insufficient_role: details[0] is of the field `role`, its message names the roles that may.
[[nodiscard]] api_error role_needed(std::initializer_list<role> roles);
/// nullopt: the actor's role is one of these, or they are no member (an operator).
[[nodiscard]] std::optional<api_error> refuse_unless(actor const& by, std::initializer_list<role> roles);
/// Members are the admins' to change. nullopt: allowed, as for an actor who is no member (an operator).
[[nodiscard]] std::optional<api_error> refuse_unless_admin(actor const& by);
/// Of a member whose role owns no keys. nullopt: allowed, as for an operator.
[[nodiscard]] std::optional<api_error> refuse_unless_key_owner(actor const& by);
/// Admins reach every key of their organization, other members their own, operators all.
[[nodiscard]] bool reaches_key(actor const& by, uuid const& owner_id) noexcept;

struct key_effect {
    bool stops{false}; // the key works now and would open nothing
    scope_set lost;    // effective now, and not then
    scope_set gained;
};

/// What the key would do if its owner had that role, or were removed (nullopt). A key that does not work now (revoked,
/// expired, its owner not active) neither stops nor gains.
[[nodiscard]] key_effect effect_of(api_key const& key, std::optional<role> becomes, timestamp now) noexcept;

} // namespace recruiting::directory
