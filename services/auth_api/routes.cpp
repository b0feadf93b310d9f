#include "auth_api/routes.hpp"

#include "auth_api/resources/endpoints.hpp"

#include <array>

namespace recruiting::auth_api {
namespace {

// billing:read and audit:read also ask for an admin: scope_set role_allows(role) says so for every scope.
constexpr auto table = std::to_array<route>({
    {"GET", "/api/v1/me", get_me},
    {"GET", "/api/v1/scopes", list_scopes},
    {"GET", "/api/v1/organization", get_organization, "organization:read"},
    {"GET", "/api/v1/members", list_members, "members:read"},
    {"GET", "/api/v1/jobs", list_jobs, "jobs:read"},
    {"GET", "/api/v1/jobs/{id}", get_job, "jobs:read"},
    {"GET", "/api/v1/jobs/{id}/candidates", list_job_candidates, "candidates:read"},
    {"GET", "/api/v1/candidates", list_candidates, "candidates:read"},
    {"GET", "/api/v1/candidates/{id}", get_candidate, "candidates:read"},
    {"GET", "/api/v1/pipeline", get_pipeline, "pipeline:read"},
    {"GET", "/api/v1/agent/sessions", list_sessions, "agents:read"},
    {"GET", "/api/v1/agent/sessions/{id}", get_session, "agents:history"},
    {"POST", invoke_path, nullptr, "agents:invoke"},
    {"GET", "/api/v1/billing", get_billing, "billing:read"},
    {"GET", "/api/v1/audit", list_audit, "audit:read"},
    {"GET", document_path, nullptr},
});

} // namespace

std::span<route const> routes() { return table; }

} // namespace recruiting::auth_api
