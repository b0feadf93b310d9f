// What several resources share: how records are written, who may read the names of people, and whose job it is.
#pragma once
#include "auth/principal.hpp"
#include "core/error.hpp"
#include "http/json_writer.hpp"
#include "http/message.hpp"
#include "pg/params.hpp"
#include "pg/rows.hpp"

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace recruiting::auth_api {

/// Writes {"data":{…}}, whose members write_members writes of the first row. Not found: there is no record.
template <class WriteMembers>
[[nodiscard]] result<void> render_record(pg::rows const& record, http::response& answer,
                                         WriteMembers const& write_members) {
    constexpr std::size_t usual_size = 4096; // most records then need no growth
    if (record.empty()) return make_error(error_code::not_found);
    answer.body.reserve(usual_size);
    http::json_writer json(answer.body);
    json.open_object().key("data").open_object();
    write_members(json, record[0]);
    json.close_object().close_object();
    return {};
}

/// Writes the row's next columns under these names, each as its type is, NULL as null. Not for jsonb selected as text.
void write_columns(http::json_writer& json, pg::row& row, std::initializer_list<std::string_view> names);
/// Writes the row's next columns as an object with these names.
void write_object(http::json_writer& json, pg::row& row, std::initializer_list<std::string_view> names);
/// The same, or null when the first of these columns is NULL: there is no such object.
void write_optional_object(http::json_writer& json, pg::row& row, std::initializer_list<std::string_view> names);

/// The name of a member is shown only to a key that could read the member too; a candidate's name likewise.
[[nodiscard]] bool may_read_members(auth::principal const& principal);
[[nodiscard]] bool may_read_candidates(auth::principal const& principal);

/// A list of texts, under this name.
void write_texts(http::json_writer& json, std::string_view name, std::span<std::string const> texts);
/// The names of the scopes, in the catalogue's order.
void write_scopes(http::json_writer& json, std::string_view name, scope_set const& scopes);

/// One row, its id and title, when the job exists and the caller may read its candidates; else none.
[[nodiscard]] pg::statement job_with_candidates(uuid const& id);

/// SQL: whether the caller may read the candidates of job $1. Evaluated once per statement.
#define RECRUITING_SEES_JOB                                                                                            \
    "(SELECT recruiting.has_role('admin', 'recruiter') OR EXISTS (SELECT FROM recruiting.hiring_teams r "              \
    "WHERE r.job_id = $1::uuid AND r.membership_id = (SELECT recruiting.current_member_id())))"

} // namespace recruiting::auth_api
