#include "public_api/feeds/feeds.hpp"

#include "core/text.hpp"
#include "http/json_writer.hpp"
#include "public_api/http/plan.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <utility>

namespace recruiting::public_api {

std::string feed_address(published_organization const& of, std::string_view public_url, std::string_view name,
                         std::size_t page) {
    std::string address(public_url);
    address.append(prefix).append("/organizations/").append(of.slug).append("/").append(name);
    if (page > 1) address.append("?page=").append(std::to_string(page));
    return address;
}

std::string careers_address(published_organization const& of, std::string_view public_url) {
    if (of.careers_page_url && !of.careers_page_url->empty()) return *of.careers_page_url;
    return std::string(public_url).append("/careers/").append(of.slug);
}

std::size_t requested_page(std::string_view query) {
    for (auto const pair : split(query, '&')) {
        if (!pair.starts_with("page=")) continue;
        auto const number = parse_number<std::uint32_t>(pair.substr(5));
        return number.value_or(1) > 0 ? number.value_or(1) : 1;
    }
    return 1;
}

feed_page page_of(published_organization const& of, timestamp now, std::size_t number, std::size_t size) {
    feed_page page;
    page.number = number;
    std::size_t seen = 0;
    for (auto const& job : of.jobs) {
        if (!job->is_open(now)) continue;
        if (seen / size + 1 == number) page.jobs.push_back(job);
        ++seen;
    }
    page.last = std::max<std::size_t>(1, (seen + size - 1) / size);
    return page;
}

std::string rfc822_time(timestamp time) {
    std::time_t const seconds = std::chrono::floor<std::chrono::seconds>(time.time_since_epoch()).count();
    std::tm parts{};
    ::gmtime_r(&seconds, &parts);
    std::array<char, 48> text{};
    return {text.data(), std::strftime(text.data(), text.size(), "%a, %d %b %Y %H:%M:%S GMT", &parts)};
}

std::string utc_date(timestamp time) { return format_time(time).substr(0, 10); }

timestamp newest_change(std::vector<job_pointer> const& jobs) {
    timestamp newest{};
    for (auto const& job : jobs) newest = std::max({newest, job->updated_at, job->published_at});
    return newest;
}

std::string location_of(published_job const& job) {
    return location_of(job, job.location_country_code ? std::string_view(*job.location_country_code) : "");
}

std::string location_of(published_job const& job, std::string_view country) {
    if (job.location_name && !job.location_name->empty()) return *job.location_name;
    std::string location;
    auto const add = [&location](std::string_view part) {
        if (!part.empty()) location.append(location.empty() ? "" : ", ").append(part);
    };
    add(job.location_city ? std::string_view(*job.location_city) : "");
    add(job.location_region ? std::string_view(*job.location_region) : "");
    add(country);
    return location;
}

namespace {

constexpr employment_names employments[] = {
    {"full_time", "FULL_TIME", "fulltime"}, {"part_time", "PART_TIME", "parttime"},
    {"contract", "CONTRACTOR", "contract"}, {"temporary", "TEMPORARY", "temporary"},
    {"internship", "INTERN", "internship"}, {"other", "OTHER", ""},
};

std::string_view unit_of(std::string_view period) noexcept {
    constexpr std::pair<std::string_view, std::string_view> units[] = {
        {"year", "YEAR"}, {"month", "MONTH"}, {"week", "WEEK"}, {"day", "DAY"}, {"hour", "HOUR"}};
    for (auto const& [ours, unit] : units)
        if (ours == period) return unit;
    return {};
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

// A remote job has no workplace; its location says where applicants may live.
void write_location(http::json_writer& json, published_job const& job) {
    if (is_remote(job)) {
        json.field("jobLocationType", "TELECOMMUTE");
        if (!job.location_country_code || job.location_country_code->empty()) return;
        json.key("applicantLocationRequirements").open_object();
        json.field("@type", "Country").field("name", *job.location_country_code).close_object();
        return;
    }
    if (location_of(job).empty()) return;
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

employment_names names_of_employment(published_job const& job) {
    for (auto const& names : employments)
        if (names.ours == job.employment_type) return names;
    return {};
}

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
    auto const employment = names_of_employment(job).schema_org;
    if (!employment.empty()) json.field("employmentType", employment);
    write_salary(json, job);
    json.field("directApply", false).field("url", job.public_url).close_object();
    return in_script(text);
}

} // namespace recruiting::public_api
