#include "auth_api/routes.hpp"

#include "auth_api/resources/endpoints.hpp"

#include <array>

namespace recruiting::auth_api {
namespace {

// billing:read and audit:read also ask for an admin: scope_set role_allows(role) says so for every scope.
constexpr auto table = std::to_array<route>({
    {"GET", "/api/v1/me", reads(get_me)},
    {"GET", "/api/v1/scopes", reads(list_scopes)},
    {"GET", "/api/v1/organization", reads(get_organization), "organization:read"},
    {"GET", "/api/v1/members", reads(list_members), "members:read"},
    {"GET", "/api/v1/jobs", reads(list_jobs), "jobs:read"},
    {"GET", "/api/v1/jobs/{id}", reads(get_job), "jobs:read"},
    {"GET", "/api/v1/jobs/{id}/candidates", reads(list_job_candidates), "candidates:read"},
    {"GET", "/api/v1/candidates", reads(list_candidates), "candidates:read"},
    {"GET", "/api/v1/candidates/{id}", reads(get_candidate), "candidates:read"},
    {"GET", "/api/v1/pipeline", reads(get_pipeline), "pipeline:read"},
    {"GET", "/api/v1/agent/sessions", reads(list_sessions), "agents:read"},
    {"GET", "/api/v1/agent/sessions/{id}", reads(get_session), "agents:history"},
    {"POST", "/api/v1/agent/invoke", invokes_agent(), "agents:invoke"},
    {"GET", "/api/v1/billing", reads(get_billing), "billing:read"},
    {"GET", "/api/v1/audit", reads(list_audit), "audit:read"},
    {"POST", "/api/v1/mcp", speaks_mcp()}, // the scope is the tool's
    {"GET", document_path, action{}},
});

} // namespace

std::span<route const> routes() { return table; }

} // namespace recruiting::auth_api
