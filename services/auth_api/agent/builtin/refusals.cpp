#include "auth_api/agent/builtin/refusals.hpp"

#include <algorithm>
#include <array>

namespace recruiting::auth_api::agent::responder {
namespace {

struct subject {
    std::string_view tool;
    std::string_view what; // "does not reach …"
    std::string_view scope;
};
constexpr auto subjects = std::to_array<subject>({
    {"get_organization", "the organization's record", "organization:read"},
    {"list_members", "the members", "members:read"},
    {"list_jobs", "the jobs", "jobs:read"},
    {"get_job", "the jobs", "jobs:read"},
    {"search_candidates", "the candidates", "candidates:read"},
    {"get_candidate", "the candidates", "candidates:read"},
    {"get_pipeline", "the pipelines", "pipeline:read"},
    {"get_billing", "the billing data", "billing:read"},
    {"search_audit", "the audit log", "audit:read"},
    {"list_api_keys", "the API keys", "agents:invoke"},
    {"revoke_api_key", "the API keys", "agents:invoke"},
});
constexpr subject anything{"", "that data", ""};

subject const& subject_of(std::string_view tool) {
    auto const found = std::ranges::find(subjects, tool, &subject::tool);
    return found == subjects.end() ? anything : *found;
}

bool admins_only(subject const& of) { return of.scope == "billing:read" || of.scope == "audit:read"; }

std::string missing_permission(subject const& of, bool role) {
    std::string text = role ? "Your role does not reach " : "Your key does not reach ";
    text.append(of.what).append(of.scope.empty() ? "" : " (").append(of.scope).append(of.scope.empty() ? "." : ").");
    if (role && admins_only(of)) text += " Only admins of the organization may see this.";
    return text;
}

} // namespace

std::string refusal(std::string_view tool, std::string_view code) {
    auto const& of = subject_of(tool);
    std::string const what(of.what);
    if (code == "insufficient_scope") return missing_permission(of, false);
    if (code == "insufficient_role") return missing_permission(of, true);
    if (code == "not_found") return "I found nothing there: it does not exist, or it is out of your reach.";
    if (code == "rate_limited") return "Too many requests at the moment: please ask again in a minute.";
    if (code == "service_unavailable")
        return "I can't reach " + what + " at the moment: please ask again in a little while.";
    if (code == "invalid_request") return "I could not look that up in " + what + ": please ask in other words.";
    if (code == "ip_not_allowed") return "Your key may not be used from this address.";
    if (code.starts_with("credential_") || code == "invalid_credential")
        return "Your key is not accepted any more (revoked, expired, or its owner has left), so I can't read " + what +
               '.';
    if (code == not_offered) return "I have no access to " + what + " here.";
    if (code == too_long) return "That takes more steps than one answer may have: please ask for less at once.";
    return "Something went wrong while I read " + what + ": please ask again.";
}

} // namespace recruiting::auth_api::agent::responder
