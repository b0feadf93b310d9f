#include "auth/missing_scopes.hpp"

#include <algorithm>

namespace recruiting::auth {
namespace {

api_error narrower_role(role needed) {
    std::string roles;
    for (auto const value : {role::admin, role::recruiter, role::hiring_manager, role::interviewer})
        if (value <= needed) roles.append(roles.empty() ? "" : ", ").append(to_string(value));
    auto error = make_error(error_code::insufficient_role);
    error.message =
        "The role of the API key's owner is not shown all that was read here; roles that are: " + roles + ".";
    error.details.push_back({"credential", "role", "missing_role", error.message});
    return error;
}

} // namespace

std::vector<std::string> scope_names(scope_set const& scopes) {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < scope_catalogue.size(); ++i)
        if (scopes.test(i)) out.emplace_back(scope_catalogue[i].name);
    return out;
}

scope_set scopes_named(std::span<std::string const> names) noexcept {
    scope_set out;
    for (auto const& name : names)
        if (auto const index = scope_index(name)) out.set(*index);
    return out;
}

reach& reach::operator|=(reach const& more) noexcept {
    scopes |= more.scopes;
    role = std::min(role, more.role);
    return *this;
}

bool reach::covers(reach const& needed) const noexcept {
    return (needed.scopes & ~scopes).none() && role <= needed.role;
}

reach reach_of(principal const& who) noexcept { return {who.effective, who.role}; }

std::optional<api_error> refuse_missing(principal const& who, reach const& needed) {
    bool const of_key = (needed.scopes & ~who.scopes).any();
    std::optional<api_error> error;
    for (auto const& name : scope_names(needed.scopes & ~(of_key ? who.scopes : who.effective))) {
        auto one = of_key ? missing_scope(name) : missing_role(name);
        if (!error) {
            error = std::move(one);
            continue;
        }
        error->details.push_back(std::move(one.details.front()));
        if (of_key) error->required_scope.append(" ").append(name);
    }
    if (!error && who.role > needed.role) return narrower_role(needed.role);
    return error;
}

} // namespace recruiting::auth
