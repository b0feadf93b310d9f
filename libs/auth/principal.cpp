#include "auth/principal.hpp"

#include <algorithm>

namespace recruiting::auth {
namespace {

// details[0] of a refusal that a key's owner can act on.
api_error refusal(error_code code, std::string message, std::string field, std::string reason) {
    auto error = make_error(code);
    error.message = message;
    error.details.push_back({"credential", std::move(field), std::move(reason), std::move(message)});
    return error;
}

std::optional<api_error> refusal_of(principal const& caller) {
    switch (caller.state) {
    case credential_state::active: return std::nullopt;
    case credential_state::revoked:
        if (!caller.revoked_at) return make_error(error_code::credential_revoked);
        return refusal(error_code::credential_revoked,
                       "The API key was revoked at " + format_time(*caller.revoked_at) + ".", "revokedAt", "revoked");
    case credential_state::expired:
        return refusal(error_code::credential_expired, "The API key expired at " + format_time(caller.expires_at) + ".",
                       "expiresAt", "expired");
    case credential_state::inactive: return make_error(error_code::credential_inactive);
    }
    return make_error(error_code::credential_inactive);
}

bool address_allowed(principal const& caller, std::optional<ip_address> const& client) {
    return caller.allowed_ips.empty() || (client && any_contains(caller.allowed_ips, *client));
}

std::string roles_allowing(std::size_t scope) {
    std::string out;
    for (auto const value : {role::admin, role::recruiter, role::hiring_manager, role::interviewer, role::viewer}) {
        if (!role_allows(value).test(scope)) continue;
        out.append(out.empty() ? "" : ", ").append(to_string(value));
    }
    return out;
}

std::string owner_of(principal_kind kind) {
    return kind == principal_kind::member ? "Your role" : "The role of the API key's owner";
}

api_error narrower_role(role needed, principal_kind kind) {
    std::string roles;
    for (auto const value : {role::admin, role::recruiter, role::hiring_manager, role::interviewer})
        if (value <= needed) roles.append(roles.empty() ? "" : ", ").append(to_string(value));
    auto error = make_error(error_code::insufficient_role);
    error.message =
        owner_of(kind) + " does not allow access to all data that this contains; roles that do: " + roles + ".";
    error.details.push_back({"credential", "role", "missing_role", error.message});
    return error;
}

} // namespace

std::optional<uuid> key_of(principal const& caller) noexcept {
    return caller.kind == principal_kind::api_key ? std::optional(caller.credential_id) : std::nullopt;
}

bool is_accepted(principal const& caller, std::optional<ip_address> const& client) {
    return caller.state == credential_state::active && address_allowed(caller, client);
}

api_error missing_scope(std::string_view scope) {
    auto error = refusal(error_code::insufficient_scope, "The API key lacks the scope " + std::string(scope) + ".",
                         "scope", "missing_scope");
    error.required_scope = scope;
    return error;
}

api_error missing_role(std::string_view scope, principal_kind kind) {
    auto const index = scope_index(scope);
    auto const roles = index ? roles_allowing(*index) : std::string();
    return refusal(error_code::insufficient_role,
                   owner_of(kind) + " does not allow " + std::string(scope) + "; roles that do: " + roles + ".", "role",
                   "missing_role");
}

namespace {

api_error other_organization(std::string_view named) {
    auto error = make_error(error_code::organization_mismatch);
    if (parse_id(named)) return error;
    error.message = "Service-Organization is not an id.";
    error.details.push_back(
        {"header", "Service-Organization", "invalid",
         "Must be the organization's id, 32 hexadecimal characters, as in GET /me; not its name or slug."});
    return error;
}

} // namespace

std::optional<api_error> authorize(principal const& caller, request_facts const& facts,
                                   std::string_view required_scope) {
    if (caller.kind == principal_kind::member && !caller.has_organization())
        return make_error(error_code::organization_not_chosen);
    if (auto refused = refusal_of(caller)) return refused;
    if (facts.service_organization_repeated)
        return invalid_request({{"header", "Service-Organization", "repeated", "Send this field only once."}});
    if (facts.service_organization && parse_id(*facts.service_organization) != caller.organization_id)
        return other_organization(*facts.service_organization);
    if (facts.organization && *facts.organization != caller.organization_id)
        return make_error(error_code::organization_mismatch);
    if (!address_allowed(caller, facts.client)) return make_error(error_code::ip_not_allowed);
    if (required_scope.empty()) return std::nullopt;
    auto const index = scope_index(required_scope);
    if (!index || !caller.scopes.test(*index)) return missing_scope(required_scope);
    if (!caller.effective.test(*index)) return missing_role(required_scope, caller.kind);
    return std::nullopt;
}

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

access& access::operator|=(access const& more) noexcept {
    scopes |= more.scopes;
    role = std::min(role, more.role);
    return *this;
}

bool access::covers(access const& needed) const noexcept {
    return (needed.scopes & ~scopes).none() && role <= needed.role;
}

access access_of(principal const& caller) noexcept { return {caller.effective, caller.role}; }

std::optional<api_error> refuse_missing(principal const& caller, access const& needed) {
    bool const of_key = (needed.scopes & ~caller.scopes).any();
    std::optional<api_error> error;
    for (auto const& name : scope_names(needed.scopes & ~(of_key ? caller.scopes : caller.effective))) {
        auto one = of_key ? missing_scope(name) : missing_role(name, caller.kind);
        if (!error) {
            error = std::move(one);
            continue;
        }
        error->details.push_back(std::move(one.details.front()));
        if (of_key) error->required_scope.append(" ").append(name);
    }
    if (!error && caller.role > needed.role) return narrower_role(needed.role, caller.kind);
    return error;
}

} // namespace recruiting::auth
