#include "auth_api/agent/tools/tool_outcome.hpp"

namespace recruiting::auth_api::agent {

audit::event tool_call_row(run_context const& run, auth::principal const& who, finished_call const& call) {
    audit::event row;
    row.id = new_record_id(call.started_at);
    row.occurred_at = call.started_at;
    row.organization_id = who.organization_id;
    row.credential_id = who.credential_id;
    row.credential_name = who.credential_name;
    row.actor_type = "agent";
    row.actor_member_id = who.member_id;
    row.actor_email = who.member_email;
    row.actor_role = to_string(who.role);
    row.action = "agent.tool_call";
    row.target_type = "tool";
    row.target_id = "unknown"; // what a model made up can hold anything it read
    if (call.which != nullptr) {
        row.target_id = call.which->name;
        row.endpoint = call.which->endpoint;
        row.required_scope = call.which->scope;
    }
    row.status_code = static_cast<int>(call.status);
    row.success = call.status < 400;
    row.error_code = call.error_code;
    if (run.client) row.ip_address = to_string(*run.client);
    row.user_agent = run.user_agent;
    row.request_id = run.request_id;
    row.session_id = run.session_id;
    row.correlation_id = run.run_id;
    row.duration_ms = std::chrono::duration_cast<std::chrono::milliseconds>(call.took).count();
    return row;
}

} // namespace recruiting::auth_api::agent
