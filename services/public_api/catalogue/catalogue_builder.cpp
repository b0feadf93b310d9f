#include "public_api/catalogue/catalogue_builder.hpp"

#include "core/url.hpp"
#include "public_api/http/answer.hpp"

#include <algorithm>
#include <tuple>

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

namespace {

bool is_listed_before(job_pointer const& a, job_pointer const& b) noexcept {
    return std::tie(a->published_at, a->id) > std::tie(b->published_at, b->id);
}

std::vector<timestamp> closings_of(std::vector<job_pointer> const& jobs) {
    std::vector<timestamp> closings;
    for (auto const& job : jobs)
        if (job->closes_at) closings.push_back(*job->closes_at);
    std::sort(closings.begin(), closings.end());
    return closings;
}

} // namespace

catalogue_builder& catalogue_builder::put(published_organization organization, std::vector<published_job> read) {
    for (auto& job : read) {
        job.public_url =
            job_page_url(organization.careers_page_url.value_or(""), public_url_, organization.slug, job.id);
        job.body = std::make_shared<std::string const>(job_body(organization, job));
        job.etag = etag_of(*job.body);
        organization.jobs.push_back(std::make_shared<published_job const>(std::move(job)));
    }
    std::sort(organization.jobs.begin(), organization.jobs.end(), is_listed_before);
    organization.closings = closings_of(organization.jobs);
    organization.index = job_index(organization.jobs);
    organization.choices = choices_of(organization.jobs);
    auto const id = organization.id;
    changed_[id] = std::make_shared<published_organization const>(std::move(organization));
    return *this;
}

catalogue_builder& catalogue_builder::remove(uuid const& organization) {
    changed_[organization] = nullptr;
    return *this;
}

catalogue catalogue_builder::build() {
    catalogue next;
    next.loaded_ = true;
    auto const is_kept = [this](uuid const& id) { return !changed_.contains(id); };
    for (auto const& held : base_.organizations_)
        if (is_kept(held->id)) next.organizations_.push_back(held);
    for (auto const& held : base_.jobs_)
        if (is_kept(held.organization->id)) next.jobs_.push_back(held);
    auto const kept = static_cast<std::ptrdiff_t>(next.organizations_.size());
    auto const kept_jobs = static_cast<std::ptrdiff_t>(next.jobs_.size());
    for (auto const& [id, put] : changed_) {
        if (!put) continue;
        for (auto const& job : put->jobs) next.jobs_.push_back({put.get(), job.get()});
        next.organizations_.push_back(put);
    }
    for (auto at = next.organizations_.rbegin(); at != next.organizations_.rend(); ++at)
        next.by_slug_.push_back(at->get()); // what was put in stands first, before a namesake
    std::stable_sort(next.by_slug_.begin(), next.by_slug_.end(),
                     [](auto const* a, auto const* b) { return a->slug < b->slug; });

    auto const by_id = [](auto const& a, auto const& b) { return a->id < b->id; };
    std::inplace_merge(next.organizations_.begin(), next.organizations_.begin() + kept, next.organizations_.end(),
                       by_id);
    auto const by_job_id = [](auto const& a, auto const& b) { return a.job->id < b.job->id; };
    std::sort(next.jobs_.begin() + kept_jobs, next.jobs_.end(), by_job_id);
    std::inplace_merge(next.jobs_.begin(), next.jobs_.begin() + kept_jobs, next.jobs_.end(), by_job_id);
    return next;
}

} // namespace recruiting::public_api
