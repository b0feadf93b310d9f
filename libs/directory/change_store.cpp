#include "directory/change_store.hpp"

namespace recruiting::directory {
namespace {

// The change has happened when this is committed, so it is always a success. clock_timestamp() and not now(): rows of
// one transaction keep their order.
constexpr std::string_view insert_audit_row = R"(
INSERT INTO recruiting.audit_log (id, occurred_at, organization_id, actor_type, actor_member_id, actor_email, actor_role,
    credential_id, credential_name, session_id, correlation_id, request_id, action, target_type, target_id, success)
VALUES ($1, clock_timestamp(), $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, true))";

} // namespace

void record_change(pg::client& database, change const& made, actor const& by) {
    pg::params values;
    values.id(new_record_id()).id(made.organization_id).text(by.type);
    values.optional_id(by.member_id).optional_text(by.email).optional_text(by.role);
    values.optional_id(by.credential_id).optional_text(by.credential_name);
    values.optional_id(by.session_id).optional_id(by.correlation_id).optional_text(by.request_id);
    values.text(made.action).text(made.target_type).text(to_string(made.target_id));
    database.run(insert_audit_row, values);
}

} // namespace recruiting::directory
