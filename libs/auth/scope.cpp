#include "auth/scope.hpp"

namespace recruiting {
namespace {

struct role_row {
    std::string_view name;
    std::string_view allows; // one character per scope, in the catalogue's order
};

// Indexed by role.        organization members jobs candidates pipeline agents×3 billing audit
constexpr std::array<role_row, 5> role_table{{
    {"admin", "1111111111"},
    {"recruiter", "1111111100"},
    {"hiring_manager", "1111111100"},
    {"interviewer", "1110000000"},
    {"viewer", "1010000000"},
}};

scope_set scopes_of(std::string_view grant) noexcept {
    auto const any = grant == "*";
    auto const colon = grant.find(':');
    auto const resource = grant.substr(0, colon);
    auto const action = colon == std::string_view::npos ? std::string_view{} : grant.substr(colon + 1);
    scope_set scopes;
    for (std::size_t i = 0; i < scope_catalogue.size(); ++i) {
        auto const& scope = scope_catalogue[i];
        auto const whole_resource = action == "*" && resource == scope.resource;
        auto const whole_action = resource == "*" && action == scope.action;
        if (any || whole_resource || whole_action || grant == scope.name) scopes.set(i);
    }
    return scopes;
}

} // namespace

std::optional<role> parse_role(std::string_view text) noexcept {
    for (std::size_t i = 0; i < role_table.size(); ++i)
        if (role_table[i].name == text) return static_cast<role>(i);
    return std::nullopt;
}

std::string_view to_string(role value) noexcept { return role_table[static_cast<std::size_t>(value)].name; }

std::optional<std::size_t> scope_index(std::string_view name) noexcept {
    for (std::size_t i = 0; i < scope_catalogue.size(); ++i)
        if (scope_catalogue[i].name == name) return i;
    return std::nullopt;
}

bool is_valid_grant(std::string_view grant) noexcept { return scopes_of(grant).any(); }

scope_set expand(std::span<std::string const> grants) noexcept {
    scope_set scopes;
    for (auto const& grant : grants) scopes |= scopes_of(grant);
    return scopes;
}

scope_set role_allows(role value) noexcept {
    auto const& allows = role_table[static_cast<std::size_t>(value)].allows;
    scope_set scopes;
    for (std::size_t i = 0; i < scope_catalogue.size(); ++i) scopes.set(i, allows[i] == '1');
    return scopes;
}

} // namespace recruiting
