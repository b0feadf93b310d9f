#include "public_api/catalogue/catalogue_reload.hpp"

#include "html/text.hpp"
#include "public_api/catalogue/catalogue_builder.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace recruiting::public_api {
namespace {

// What a job's own record shows of its organization.
bool shows_the_same_in_jobs(published_organization const& a, published_organization const& b) {
    return std::tie(a.slug, a.name, a.careers_page_url) == std::tie(b.slug, b.name, b.careers_page_url);
}

bool is_the_same(published_organization const& a, published_organization const& b) {
    return shows_the_same_in_jobs(a, b) &&
           std::tie(a.website_url, a.logo_url, a.time_zone) == std::tie(b.website_url, b.logo_url, b.time_zone);
}

std::map<uuid, job_pointer> jobs_by_id(published_organization const* organization) {
    std::map<uuid, job_pointer> jobs;
    if (organization != nullptr)
        for (auto const& job : organization->jobs) jobs.emplace(job->id, job);
    return jobs;
}

std::vector<uuid> those_gone(catalogue const& base, organization_choice const& asked, std::set<uuid> const& found) {
    std::vector<uuid> gone;
    for (auto const& held : base.organizations())
        if (!found.contains(held->id) && (!asked || std::find(asked->begin(), asked->end(), held->id) != asked->end()))
            gone.push_back(held->id);
    return gone;
}

} // namespace

catalogue_reload::catalogue_reload(catalogue const& base, organization_choice const& asked,
                                   std::vector<published_organization> found, std::vector<job_version> const& versions)
    : base_(base) {
    std::map<uuid, std::vector<job_version>> versions_of;
    for (auto const& version : versions) versions_of[version.organization_id].push_back(version);
    std::set<uuid> found_ids;
    for (auto& organization : found) {
        found_ids.insert(organization.id);
        auto const& of_it = versions_of[organization.id];
        compare(std::move(organization), of_it);
    }
    gone_ = those_gone(base, asked, found_ids);
}

void catalogue_reload::compare(published_organization found, std::vector<job_version> const& versions) {
    auto const* const before = base_.find_organization(found.id);
    bool const jobs_may_stay = before != nullptr && shows_the_same_in_jobs(*before, found);
    auto const held = jobs_by_id(before);
    auto const wanted_before = wanted_.size();
    std::vector<published_job> written_anew;
    for (auto const& version : versions) {
        auto const job = held.find(version.job_id);
        bool const is_known = job != held.end() && job->second->updated_at == version.updated_at;
        if (!is_known) wanted_.push_back(version.job_id);
        else if (jobs_may_stay) found.jobs.push_back(job->second);
        else written_anew.push_back(*job->second);
    }
    bool const same_jobs = wanted_.size() == wanted_before && found.jobs.size() == held.size();
    if (before != nullptr && same_jobs && is_the_same(*before, found)) return;
    auto const id = found.id;
    changed_.emplace(id, changed_organization{std::move(found), std::move(written_anew)});
}

void catalogue_reload::add(job_of read) {
    auto const organization = changed_.find(read.organization_id);
    if (organization == changed_.end()) return;
    read.job.description_html = html::sanitize(read.job.description_html); // rows may be older than import's sanitiser
    organization->second.read.push_back(std::move(read.job));
}

catalogue catalogue_reload::build(std::string_view public_url) {
    catalogue_builder next(base_, public_url);
    for (auto& [id, changed] : changed_) next.put(std::move(changed.organization), std::move(changed.read));
    for (auto const& id : gone_) next.remove(id);
    return next.build();
}

} // namespace recruiting::public_api
