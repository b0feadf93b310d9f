#include "directory/access.hpp"

#include <algorithm>

namespace recruiting::directory {
namespace {

std::optional<role> role_of(actor const& by) { return by.role ? parse_role(*by.role) : std::nullopt; }

bool is_admin(actor const& by) { return role_of(by) == role::admin; }

} // namespace

bool may_own_keys(role held) noexcept { return held != role::viewer && held != role::interviewer; }

api_error role_needed(std::initializer_list<role> roles) {
    std::string names;
    for (auto const one : roles) names.append(names.empty() ? "" : ", ").append(to_string(one));
    auto error = make_error(error_code::insufficient_role);
    error.message = "The member's role does not allow this; roles that do: " + names + ".";
    error.details.push_back({"credential", "role", "missing_role", error.message});
    return error;
}

std::optional<api_error> refuse_unless(actor const& by, std::initializer_list<role> roles) {
    auto const held = role_of(by);
    if (!by.member_id || (held && std::ranges::find(roles, *held) != roles.end())) return std::nullopt;
    return role_needed(roles);
}

std::optional<api_error> refuse_unless_admin(actor const& by) { return refuse_unless(by, {role::admin}); }

std::optional<api_error> refuse_unless_key_owner(actor const& by) {
    return refuse_unless(by, {role::admin, role::recruiter, role::hiring_manager});
}

bool reaches_key(actor const& by, uuid const& owner_id) noexcept {
    return !by.member_id || *by.member_id == owner_id || is_admin(by);
}

key_effect effect_of(api_key const& key, std::optional<role> becomes, timestamp now) noexcept {
    key_effect out;
    if (key.revoked_at || now >= key.expires_at || !key.owner_active) return out;
    auto const granted = expand(key.scopes);
    auto const before = granted & role_allows(key.owner_role);
    auto const after = becomes ? granted & role_allows(*becomes) : scope_set{};
    out.stops = !becomes || (before.any() && after.none());
    out.lost = before & ~after;
    out.gained = after & ~before;
    return out;
}

} // namespace recruiting::directory
