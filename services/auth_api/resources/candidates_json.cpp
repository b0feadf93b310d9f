#include "auth_api/resources/candidates_json.hpp"

#include "auth_api/resources/location_json.hpp"

namespace recruiting::auth_api {

bool is_deleted_candidate(pg::rows const& rows, int row) { return !rows.is_null(row, 17); }

void write_deleted_candidate_members(http::json_writer& json, pg::rows const& rows, int row) {
    json.field("id", rows.id(row, 0)).field("deletedAt", rows.time(row, 17));
}

void write_candidate_members(http::json_writer& json, pg::rows const& rows, int row) {
    json.field("id", rows.id(row, 0))
        .field("externalId", rows.optional_text(row, 18))
        .field("name", rows.text(row, 4))
        .field("email", rows.optional_text(row, 5))
        .field("phone", rows.optional_text(row, 6))
        .field("currentTitle", rows.optional_text(row, 7))
        .field("currentCompany", rows.optional_text(row, 8));
    write_location(json, rows, row, 9);
    json.key("links").raw(rows.text(row, 13));
    json.field("source", rows.optional_text(row, 14));
    json.key("tags").raw(rows.text(row, 15));
    json.field("lastActivityAt", rows.optional_time(row, 16))
        .field("createdAt", rows.time(row, 1))
        .field("updatedAt", rows.time(row, 2))
        .field("deletedAt", rows.optional_time(row, 17));
}

void write_application_members(http::json_writer& json, pg::rows const& rows, int row, int first) {
    json.field("id", rows.id(row, first))
        .field("externalId", rows.optional_text(row, first + 15))
        .field("candidateId", rows.id(row, first + 1))
        .field("jobId", rows.id(row, first + 2))
        .field("stageId", rows.id(row, first + 3))
        .field("stageName", rows.text(row, first + 4))
        .field("status", rows.text(row, first + 5))
        .field("source", rows.optional_text(row, first + 6))
        .field("appliedAt", rows.time(row, first + 7))
        .field("stageEnteredAt", rows.time(row, first + 8))
        .field("rejectedAt", rows.optional_time(row, first + 9))
        .field("hiredAt", rows.optional_time(row, first + 10))
        .field("rejectionReason", rows.optional_text(row, first + 11))
        .field("createdAt", rows.time(row, first + 12))
        .field("updatedAt", rows.time(row, first + 13))
        .field("deletedAt", rows.optional_time(row, first + 14));
}

} // namespace recruiting::auth_api
