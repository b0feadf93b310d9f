// The audit rows of changes.
#include "directory/store.hpp"

namespace recruiting::directory {
namespace {

// The change has happened when this is committed, so it is always a success. clock_timestamp() and not now(): rows of
// one transaction keep their order.
#define RECRUITING_CHANGE_COLUMNS                                                                                      \
    "INSERT INTO recruiting.audit_log (id, occurred_at, organization_id, actor_type, actor_member_id, actor_email, "   \
    "actor_role, credential_id, credential_name, session_id, correlation_id, request_id, action, target_type, "        \
    "target_id, success, request_count) "
#define RECRUITING_CHANGE_VALUES                                                                                       \
    "clock_timestamp(), $2::uuid, $3::text, $4::uuid, $5::text, $6::text, $7::uuid, $8::text, $9::uuid, $10::uuid, "   \
    "$11::text, $12::text, $13::text, "
constexpr std::string_view insert_audit_row =
    RECRUITING_CHANGE_COLUMNS "SELECT $1::uuid, " RECRUITING_CHANGE_VALUES "$14::text, true, $15::bigint";
constexpr std::string_view insert_audit_rows =
    RECRUITING_CHANGE_COLUMNS "SELECT t.id, " RECRUITING_CHANGE_VALUES "t.target, true, NULL::bigint "
                              "FROM unnest($1::uuid[], $14::text[]) AS t (id, target)";
#undef RECRUITING_CHANGE_VALUES
#undef RECRUITING_CHANGE_COLUMNS

// $2 to $13.
void add_values(pg::params& values, change const& made, actor const& by) {
    values.id(made.organization_id).text(by.type);
    values.optional_id(by.member_id).optional_text(by.email).optional_text(by.role);
    values.optional_id(by.credential_id).optional_text(by.credential_name);
    values.optional_id(by.session_id).optional_id(by.correlation_id).optional_text(by.request_id);
    values.text(made.action).text(made.target_type);
}

} // namespace

pg::statement change_row(change const& made, actor const& by) {
    pg::statement out{std::string(insert_audit_row), {}};
    auto& values = out.params;
    values.id(new_record_id());
    add_values(values, made, by);
    values.text(to_string(made.target_id));
    if (made.count) values.integer(*made.count);
    else values.null();
    return out;
}

void record_changes(pg::client& database, change const& made, std::span<uuid const> targets, actor const& by) {
    std::vector<uuid> rows(targets.size());
    for (auto& row : rows) row = new_record_id();
    pg::params values;
    values.id_array(rows);
    add_values(values, made, by);
    values.id_array(targets);
    database.run(insert_audit_rows, values);
}

void record_change(pg::client& database, change const& made, actor const& by) { database.run(change_row(made, by)); }

} // namespace recruiting::directory
