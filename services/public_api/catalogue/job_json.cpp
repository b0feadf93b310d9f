#include "public_api/catalogue/job_json.hpp"

namespace recruiting::public_api {
namespace {

constexpr std::string_view body_begins = R"({"data":)";
constexpr std::string_view body_ends = "}";

void write_location(http::json_writer& json, published_job const& job) {
    json.key("location");
    if (!job.location_name && !job.location_city && !job.location_region && !job.location_country_code) {
        json.null();
        return;
    }
    json.open_object()
        .field("name", job.location_name)
        .field("city", job.location_city)
        .field("region", job.location_region)
        .field("countryCode", job.location_country_code)
        .close_object();
}

void write_salary(http::json_writer& json, published_job const& job) {
    json.key("salary");
    if (!job.salary_min && !job.salary_max) {
        json.null();
        return;
    }
    json.open_object()
        .field("min", job.salary_min)
        .field("max", job.salary_max)
        .field("currency", job.salary_currency)
        .field("period", job.salary_period)
        .close_object();
}

void write_stages(http::json_writer& json, published_job const& job) {
    json.key("bookableStages").open_array();
    for (auto const& stage : job.bookable_stages)
        json.open_object()
            .field("stageId", stage.id)
            .field("name", stage.name)
            .field("durationMinutes", stage.duration_minutes)
            .close_object();
    json.close_array();
}

} // namespace

void write_job(http::json_writer& json, published_organization const& organization, published_job const& job) {
    json.open_object().field("id", job.id).field("title", job.title);
    json.key("organization")
        .open_object()
        .field("name", organization.name)
        .field("slug", organization.slug)
        .close_object();
    json.field("department", job.department);
    write_location(json, job);
    json.field("workplaceType", job.workplace_type).field("employmentType", job.employment_type);
    write_salary(json, job);
    json.field("descriptionHtml", job.description_html)
        .field("descriptionText", job.description_text)
        .field("publishedAt", job.published_at)
        .field("closesAt", job.closes_at)
        .field("updatedAt", job.updated_at)
        .field("publicUrl", job.public_url);
    write_stages(json, job);
    json.close_object();
}

std::string job_body(published_organization const& organization, published_job const& job) {
    std::string body(body_begins);
    http::json_writer json(body);
    write_job(json, organization, job);
    return body.append(body_ends);
}

std::string_view job_in_body(std::string_view body) noexcept {
    body.remove_prefix(body_begins.size());
    body.remove_suffix(body_ends.size());
    return body;
}

} // namespace recruiting::public_api
