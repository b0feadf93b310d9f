#include "auth/principal.hpp"

namespace recruiting::auth {
namespace {

std::optional<error_code> refusal_of(credential_state state) {
    switch (state) {
    case credential_state::active: return std::nullopt;
    case credential_state::revoked: return error_code::credential_revoked;
    case credential_state::expired: return error_code::credential_expired;
    case credential_state::inactive: return error_code::credential_inactive;
    }
    return error_code::credential_inactive;
}

bool address_allowed(principal const& who, request_facts const& facts) {
    return who.allowed_ips.empty() || (facts.client && any_contains(who.allowed_ips, *facts.client));
}

} // namespace

std::optional<api_error> judge(principal const& who, request_facts const& facts, std::string_view required_scope) {
    if (auto const refusal = refusal_of(who.state)) return make_error(*refusal);
    if (facts.service_organization && parse_id(*facts.service_organization) != who.organization_id)
        return make_error(error_code::organization_mismatch);
    if (!address_allowed(who, facts)) return make_error(error_code::ip_not_allowed);
    if (required_scope.empty()) return std::nullopt;
    auto const index = scope_index(required_scope);
    if (!index || !who.scopes.test(*index)) {
        auto error = make_error(error_code::insufficient_scope);
        error.required_scope = required_scope;
        return error;
    }
    if (!who.effective.test(*index)) return make_error(error_code::insufficient_role);
    return std::nullopt;
}

} // namespace recruiting::auth
