#include "core/text.hpp"
#include "http/json_writer.hpp"
#include "public_api/feeds/feeds.hpp"
#include "words/codes.hpp"

#include <set>
#include <utility>

namespace recruiting::public_api {
namespace {

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

// One of the places that a job names. country: ISO 3166-1 alpha-2; "" where it is not known.
struct named_place {
    std::string_view city;
    std::string country;
};

named_place read_place(std::string_view name) {
    auto country = country_of_place(name);
    if (country.empty()) return {name, {}};
    auto const comma = name.rfind(',');
    return {comma == name.npos ? std::string_view() : trim(name.substr(0, comma)), std::move(country)};
}

// "Berlin; Munich" is two. At least one, which may be empty. A country is the job's, the one that the place's name ends
// in, or the organization's: most jobs are in the country of those who hire. Of several places each may have its own.
std::vector<named_place> places_of(published_organization const& organization, published_job const& job) {
    std::vector<named_place> places;
    if (job.location_name)
        for (auto const part : split(*job.location_name, ';'))
            if (auto const name = trim(part); !name.empty()) places.push_back(read_place(name));
    bool const are_several = places.size() > 1;
    if (places.empty()) places.emplace_back();
    if (!are_several && job.location_city && !job.location_city->empty()) places.front().city = *job.location_city;
    for (auto& [city, country] : places) {
        if (job.location_country_code && (!are_several || country.empty())) country = *job.location_country_code;
        if (country.empty()) country = organization.country_code.value_or("");
    }
    return places;
}

// One stands by itself, several are an array.
void write_each(http::json_writer& json, auto const& values, auto const& write) {
    if (values.size() > 1) json.open_array();
    for (auto const& value : values) write(value);
    if (values.size() > 1) json.close_array();
}

// A remote job has no workplace; its location says where applicants may live.
void write_location(http::json_writer& json, published_organization const& organization, published_job const& job) {
    auto const places = places_of(organization, job);
    if (job.workplace_type == "remote") {
        json.field("jobLocationType", "TELECOMMUTE");
        std::set<std::string> countries;
        for (auto const& place : places)
            if (!place.country.empty()) countries.insert(place.country);
        if (countries.empty()) return;
        json.key("applicantLocationRequirements");
        write_each(json, countries, [&json](auto const& country) {
            json.open_object().field("@type", "Country").field("name", country).close_object();
        });
        return;
    }
    auto const& first = places.front();
    if (first.city.empty() && first.country.empty() && !job.location_region) return;
    auto const region = places.size() > 1 ? std::nullopt : job.location_region;
    json.key("jobLocation");
    write_each(json, places, [&json, &region](auto const& place) {
        json.open_object().field("@type", "Place").key("address").open_object().field("@type", "PostalAddress");
        if (!place.city.empty()) json.field("addressLocality", place.city);
        field_if(json, "addressRegion", region);
        if (!place.country.empty()) json.field("addressCountry", place.country);
        json.close_object().close_object();
    });
}

void write_salary(http::json_writer& json, published_job const& job) {
    auto const unit = unit_of(job.salary_period.value_or(""));
    if ((!job.salary_min && !job.salary_max) || !job.salary_currency || unit.empty()) return;
    json.key("baseSalary").open_object().field("@type", "MonetaryAmount").field("currency", *job.salary_currency);
    json.key("value").open_object().field("@type", "QuantitativeValue");
    if (job.salary_min == job.salary_max) {
        json.key("value").raw(*job.salary_min);
    } else {
        if (job.salary_min) json.key("minValue").raw(*job.salary_min);
        if (job.salary_max) json.key("maxValue").raw(*job.salary_max);
    }
    json.field("unitText", unit).close_object().close_object();
}

} // namespace

std::string country_of(published_organization const& organization, published_job const& job) {
    return places_of(organization, job).front().country;
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
    write_location(json, organization, job);
    auto const employment = names_of_employment(job).schema_org;
    if (!employment.empty()) json.field("employmentType", employment);
    write_salary(json, job);
    json.field("directApply", false).field("url", job.public_url).close_object();
    return in_script(text);
}

} // namespace recruiting::public_api
