#include "public_api/catalogue/catalogue_builder.hpp"

#include "core/url.hpp"
#include "public_api/answer.hpp"
#include "public_api/catalogue/job_json.hpp"

#include <algorithm>
#include <tuple>

namespace recruiting::public_api {
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
