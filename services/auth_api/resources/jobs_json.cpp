#include "auth_api/resources/jobs_json.hpp"

#include "auth_api/resources/location_json.hpp"
#include "core/url.hpp"

namespace recruiting::auth_api {
namespace {

constexpr int job_columns = 31; // of every job

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

// Null while the job is not published: it has no organization's slug then.
void write_public_url(http::json_writer& json, pg::rows const& rows, int row, std::string_view origin) {
    json.key("publicUrl");
    if (rows.is_null(row, 26)) json.null();
    else json.value(std::string_view(job_page_url(rows.text(row, 30), origin, rows.text(row, 26), rows.id(row, 0))));
}

void write_job_members(http::json_writer& json, pg::rows const& rows, int row, std::string_view origin) {
    json.field("id", rows.id(row, 0))
        .field("externalId", rows.optional_text(row, 29))
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
        .field("closedAt", rows.optional_time(row, 25));
    write_public_url(json, rows, row, origin);
    json.field("candidateCount", rows.integer(row, 27))
        .field("createdAt", rows.time(row, 1))
        .field("updatedAt", rows.time(row, 2))
        .field("deletedAt", rows.optional_time(row, 28));
}

} // namespace

void write_job(http::json_writer& json, pg::rows const& rows, int row, job_parts const& included,
               std::string_view origin) {
    json.open_object();
    write_job_members(json, rows, row, origin);
    int column = job_columns;
    if (included.description) {
        json.field("descriptionHtml", rows.text(row, column)).field("descriptionText", rows.text(row, column + 1));
        column += 2;
    }
    if (included.stages) json.key("stages").raw(rows.text(row, column));
    json.close_object();
}

} // namespace recruiting::auth_api
