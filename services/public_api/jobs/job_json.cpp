#include "public_api/jobs/job_json.hpp"

#include "public_api/jobs/job_store.hpp"

namespace recruiting::public_api {
namespace {

namespace column = job_column;

bool all_null(pg::rows const& jobs, int row, std::initializer_list<int> columns) {
    for (int const c : columns)
        if (!jobs.is_null(row, c)) return false;
    return true;
}

void write_location(http::json_writer& json, pg::rows const& jobs, int row) {
    json.key("location");
    if (all_null(
            jobs, row,
            {column::location_name, column::location_city, column::location_region, column::location_country_code})) {
        json.null();
        return;
    }
    json.open_object()
        .field("name", jobs.optional_text(row, column::location_name))
        .field("city", jobs.optional_text(row, column::location_city))
        .field("region", jobs.optional_text(row, column::location_region))
        .field("countryCode", jobs.optional_text(row, column::location_country_code))
        .close_object();
}

// The view shows the salary's columns only where the organization publishes it.
void write_salary(http::json_writer& json, pg::rows const& jobs, int row) {
    json.key("salary");
    if (all_null(jobs, row, {column::salary_min, column::salary_max})) {
        json.null();
        return;
    }
    json.open_object()
        .field("min", jobs.optional_integer(row, column::salary_min))
        .field("max", jobs.optional_integer(row, column::salary_max))
        .field("currency", jobs.optional_text(row, column::salary_currency))
        .field("period", jobs.optional_text(row, column::salary_period))
        .close_object();
}

} // namespace

void write_job(http::json_writer& json, pg::rows const& jobs, int row) {
    json.open_object().field("id", jobs.id(row, column::id)).field("title", jobs.text(row, column::title));
    json.key("organization")
        .open_object()
        .field("name", jobs.text(row, column::organization_name))
        .field("slug", jobs.text(row, column::organization_slug))
        .close_object();
    json.field("department", jobs.optional_text(row, column::department));
    write_location(json, jobs, row);
    json.field("workplaceType", jobs.optional_text(row, column::workplace_type))
        .field("employmentType", jobs.optional_text(row, column::employment_type));
    write_salary(json, jobs, row);
    json.field("descriptionHtml", jobs.text(row, column::description_html))
        .field("descriptionText", jobs.text(row, column::description_text))
        .field("publishedAt", jobs.optional_time(row, column::published_at))
        .field("closesAt", jobs.optional_time(row, column::closes_at))
        .field("updatedAt", jobs.optional_time(row, column::updated_at))
        .field("publicUrl", jobs.optional_text(row, column::public_url));
    json.key("bookableStages").raw(jobs.text(row, column::bookable_stages));
    json.close_object();
}

} // namespace recruiting::public_api
