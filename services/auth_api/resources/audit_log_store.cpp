#include "auth_api/resources/audit_log_store.hpp"

namespace recruiting::auth_api {

// GET /audit. The sequence stands in the seal, which comes a moment after the row: null until then.
list_shape const audit_list = {
    .route = "/audit",
    .columns =
        "a.id, a.occurred_at, s.sequence, a.credential_id, a.credential_name, a.actor_type, a.actor_member_id, "
        "a.actor_email, a.actor_role, a.action, a.method, a.endpoint, a.path, a.target_type, a.target_id, "
        "a.status_code, a.success, a.error_code, a.required_scope, host(a.ip_address), a.user_agent, a.request_id, "
        "a.session_id, a.correlation_id, a.duration_ms, a.request_count",
    .from = "FROM recruiting.audit_log a LEFT JOIN recruiting.audit_seals s "
            "ON s.audit_id = a.id AND s.occurred_at = a.occurred_at "
            "WHERE a.organization_id = (SELECT recruiting.current_organization_id())",
    .live = "",
    .id = "a.id",
    .sorts = {{{"occurredAt", "a.occurred_at", 1, true}, {}, {}}},
    .walked = "FROM recruiting.audit_log a WHERE a.organization_id = (SELECT recruiting.current_organization_id())",
    .most_walked = "100000",
};

} // namespace recruiting::auth_api
