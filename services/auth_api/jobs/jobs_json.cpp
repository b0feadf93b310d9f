#include "auth_api/jobs/jobs_json.hpp"

#include "auth_api/location_json.hpp"

namespace recruiting::auth_api {
namespace {

void write_salary(http::json_writer& json, pg::rows const& rows, int row, int first) {
    json.key("salary");
    if (rows.is_null(row, first) && rows.is_null(row, first + 1)) {
        json.null();
        return;
    }
    json.open_object()
        .field("min", rows.optional_integer(row, first))
        .field("max", rows.optional_integer(row, first + 1))
        .field("currency", rows.optional_text(row, first + 2))
        .field("period", rows.optional_text(row, first + 3))
        .close_object();
}

} // namespace

void write_job_members(http::json_writer& json, pg::rows const& rows, int row) {
    json.field("id", rows.id(row, 0))
        .field("title", rows.text(row, 4))
        .field("status", rows.text(row, 5))
        .field("requisitionId", rows.optional_text(row, 6))
        .field("department", rows.optional_text(row, 7));
    write_location(json, rows, row, 8);
    json.field("workplaceType", rows.optional_text(row, 12))
        .field("employmentType", rows.optional_text(row, 13))
        .field("openings", rows.integer(row, 14));
    write_salary(json, rows, row, 15);
    json.field("salaryPublished", rows.boolean(row, 19));
    json.key("hiringTeam").raw(rows.text(row, 20));
    json.field("published", rows.boolean(row, 21))
        .field("publishedAt", rows.optional_time(row, 22))
        .field("closesAt", rows.optional_time(row, 23))
        .field("openedAt", rows.optional_time(row, 24))
        .field("closedAt", rows.optional_time(row, 25))
        .field("publicUrl", rows.optional_text(row, 26))
        .field("candidateCount", rows.integer(row, 27))
        .field("createdAt", rows.time(row, 1))
        .field("updatedAt", rows.time(row, 2))
        .field("deletedAt", rows.optional_time(row, 28));
}

void write_job_detail(http::json_writer& json, pg::rows const& job) {
    json.open_object();
    write_job_members(json, job, 0);
    json.field("descriptionHtml", job.text(0, 29)).field("descriptionText", job.text(0, 30));
    json.key("stages").raw(job.text(0, 31)).close_object();
}

} // namespace recruiting::auth_api
