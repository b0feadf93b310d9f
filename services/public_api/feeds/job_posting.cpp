#include "public_api/feeds/job_posting.hpp"

#include "http/json_writer.hpp"
#include "public_api/feeds/feed_page.hpp"

#include <array>

namespace recruiting::public_api {
namespace {

std::string_view employment_type_of(std::string_view ours) noexcept {
    static constexpr std::array<naming, 6> names = {{{"full_time", "FULL_TIME"},
                                                     {"part_time", "PART_TIME"},
                                                     {"contract", "CONTRACTOR"},
                                                     {"temporary", "TEMPORARY"},
                                                     {"internship", "INTERN"},
                                                     {"other", "OTHER"}}};
    return their_name(names, ours);
}

std::string_view unit_of(std::string_view period) noexcept {
    static constexpr std::array<naming, 5> names = {
        {{"year", "YEAR"}, {"month", "MONTH"}, {"week", "WEEK"}, {"day", "DAY"}, {"hour", "HOUR"}}};
    return their_name(names, period);
}

void field_if(http::json_writer& json, std::string_view name, std::optional<std::string> const& value) {
    if (value && !value->empty()) json.field(name, *value);
}

void write_organization(http::json_writer& json, published_organization const& organization) {
    json.key("hiringOrganization").open_object();
    json.field("@type", "Organization").field("name", organization.name);
    field_if(json, "sameAs", organization.website_url);
    field_if(json, "logo", organization.logo_url);
    json.close_object();
}

bool is_remote(published_job const& job) { return job.workplace_type == "remote"; }

// A remote job has no place to go to; its location says from where one may work.
void write_location(http::json_writer& json, published_job const& job) {
    if (is_remote(job)) {
        json.field("jobLocationType", "TELECOMMUTE");
        if (!job.location_country_code || job.location_country_code->empty()) return;
        json.key("applicantLocationRequirements").open_object();
        json.field("@type", "Country").field("name", *job.location_country_code).close_object();
        return;
    }
    if (place_of(job).empty()) return;
    json.key("jobLocation").open_object().field("@type", "Place");
    json.key("address").open_object().field("@type", "PostalAddress");
    field_if(json, "addressLocality", job.location_city ? job.location_city : job.location_name);
    field_if(json, "addressRegion", job.location_region);
    field_if(json, "addressCountry", job.location_country_code);
    json.close_object().close_object();
}

void write_salary(http::json_writer& json, published_job const& job) {
    auto const unit = unit_of(job.salary_period.value_or(""));
    if ((!job.salary_min && !job.salary_max) || !job.salary_currency || unit.empty()) return;
    json.key("baseSalary").open_object().field("@type", "MonetaryAmount").field("currency", *job.salary_currency);
    json.key("value").open_object().field("@type", "QuantitativeValue");
    if (job.salary_min == job.salary_max) {
        json.field("value", *job.salary_min);
    } else {
        if (job.salary_min) json.field("minValue", *job.salary_min);
        if (job.salary_max) json.field("maxValue", *job.salary_max);
    }
    json.field("unitText", unit).close_object().close_object();
}

} // namespace

std::string in_script(std::string_view json) {
    std::string out;
    out.reserve(json.size() + json.size() / 16);
    for (char const c : json) { // outside strings JSON has none of these
        switch (c) {
        case '<': out += "\\u003c"; break;
        case '>': out += "\\u003e"; break;
        case '&': out += "\\u0026"; break;
        default: out += c;
        }
    }
    return out;
}

std::string job_posting(published_organization const& organization, published_job const& job) {
    std::string text;
    http::json_writer json(text);
    json.open_object().field("@context", "https://schema.org/").field("@type", "JobPosting");
    json.field("title", job.title);
    json.field("description", job.description_html.empty() ? job.title : job.description_html);
    json.key("identifier").open_object();
    json.field("@type", "PropertyValue").field("name", organization.name).field("value", job.id).close_object();
    json.field("datePosted", utc_date(job.published_at));
    if (job.closes_at) json.field("validThrough", *job.closes_at);
    write_organization(json, organization);
    write_location(json, job);
    auto const employment = employment_type_of(job.employment_type.value_or(""));
    if (!employment.empty()) json.field("employmentType", employment);
    write_salary(json, job);
    json.field("directApply", false).field("url", job.public_url).close_object();
    return in_script(text);
}

} // namespace recruiting::public_api
