#include "directory/change_store.hpp"

namespace recruiting::directory {
namespace {

// The change has happened when this is committed, so it is always a success. clock_timestamp() and not now(): rows of
// one transaction keep their order.
constexpr std::string_view insert_audit_row = R"(
INSERT INTO recruiting.audit_log (id, occurred_at, organization_id, actor_type, actor_member_id, actor_email, actor_role,
    credential_id, credential_name, session_id, correlation_id, request_id, action, target_type, target_id, success)
SELECT $1::uuid, clock_timestamp(), $2::uuid, $3::text, $4::uuid, $5::text, $6::text, $7::uuid, $8::text, $9::uuid,
    $10::uuid, $11::text, $12::text, $13::text, $14::text, true)";

} // namespace

pg::statement change_row(change const& made, actor const& by) {
    pg::statement out{std::string(insert_audit_row), {}};
    auto& values = out.params;
    values.id(new_record_id()).id(made.organization_id).text(by.type);
    values.optional_id(by.member_id).optional_text(by.email).optional_text(by.role);
    values.optional_id(by.credential_id).optional_text(by.credential_name);
    values.optional_id(by.session_id).optional_id(by.correlation_id).optional_text(by.request_id);
    values.text(made.action).text(made.target_type).text(to_string(made.target_id));
    return out;
}

void record_change(pg::client& database, change const& made, actor const& by) {
    auto const row = change_row(made, by);
    database.run(row.sql, row.params);
}

} // namespace recruiting::directory
