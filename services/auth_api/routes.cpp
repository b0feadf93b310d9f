#include "auth_api/routes.hpp"

#include "auth_api/resources/endpoints.hpp"

#include <array>

namespace recruiting::auth_api {
namespace {

// billing:read and audit:read also ask for an admin: scope_set role_allows(role) says so for every scope.
constexpr std::array<route, 15> table = {{
    {"GET", "/me", "", get_me},
    {"GET", "/scopes", "", list_scopes},
    {"GET", "/organization", "organization:read", get_organization},
    {"GET", "/members", "members:read", list_members},
    {"GET", "/jobs", "jobs:read", list_jobs},
    {"GET", "/jobs/{id}", "jobs:read", get_job},
    {"GET", "/jobs/{id}/candidates", "candidates:read", list_job_candidates},
    {"GET", "/candidates", "candidates:read", list_candidates},
    {"GET", "/candidates/{id}", "candidates:read", get_candidate},
    {"GET", "/pipeline", "pipeline:read", get_pipeline},
    {"GET", "/agent/sessions", "agents:read", list_sessions},
    {"GET", "/agent/sessions/{id}", "agents:history", get_session},
    {"POST", "/agent/invoke", "agents:invoke", nullptr, true},
    {"GET", "/billing", "billing:read", get_billing},
    {"GET", "/audit", "audit:read", list_audit},
}};

} // namespace

std::span<route const> routes() { return table; }

route_match find_route(std::string_view method, std::string_view path) {
    route_match match;
    if (!path.starts_with(base_path)) return match;
    if (path == document_path) {
        match.allow = "GET, HEAD";
        return match;
    }
    path.remove_prefix(base_path.size());
    auto const wanted = method == "HEAD" ? std::string_view("GET") : method;
    for (auto const& candidate : table) {
        auto params = http::match_path(candidate.pattern, path);
        if (!params) continue;
        if (candidate.method == wanted) return {&candidate, &candidate, std::move(*params), {}};
        match.known = &candidate;
        match.allow.append(match.allow.empty() ? "" : ", ").append(candidate.method);
        if (candidate.method == "GET") match.allow += ", HEAD";
    }
    return match;
}

} // namespace recruiting::auth_api
