#include "public_api/catalogue/catalogue_builder.hpp"

#include "html/text.hpp"
#include "public_api/http/answer.hpp"

#include <algorithm>
#include <set>
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
    json.open_object().field("name", job.location_name).field("city", job.location_city);
    json.field("region", job.location_region).field("countryCode", job.location_country_code).close_object();
}

void write_salary(http::json_writer& json, published_job const& job) {
    json.key("salary");
    if (!job.salary_min && !job.salary_max) {
        json.null();
        return;
    }
    json.open_object();
    for (auto const& [name, amount] : {std::pair("min", &job.salary_min), std::pair("max", &job.salary_max)})
        json.key(name).raw(*amount ? **amount : "null");
    json.field("currency", job.salary_currency).field("period", job.salary_period).close_object();
}

void write_stages(http::json_writer& json, published_job const& job) {
    json.key("bookableStages").open_array();
    for (auto const& [id, name, minutes] : job.bookable_stages)
        json.open_object()
            .field("id", id)
            .field("name", name)
            .field("interviewDurationMinutes", minutes)
            .close_object();
    json.close_array();
}

} // namespace

void write_job(http::json_writer& json, published_organization const& organization, published_job const& job) {
    json.open_object().field("id", job.id).field("title", job.title);
    json.key("organization").open_object().field("name", organization.name).field("slug", organization.slug);
    json.close_object();
    json.field("department", job.department);
    write_location(json, job);
    json.field("workplaceType", job.workplace_type).field("employmentType", job.employment_type);
    write_salary(json, job);
    json.field("descriptionHtml", job.description_html).field("descriptionText", job.description_text);
    json.field("publishedAt", job.published_at).field("closesAt", job.closes_at);
    json.field("updatedAt", job.updated_at).field("publicUrl", job.public_url).field("applyUrl", job.apply_url);
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

catalogue_builder& catalogue_builder::put(published_organization organization, std::vector<packed_job> read) {
    organization.origin = public_url_;
    for (auto& job : read) {
        job.etag = etag_of(job_body(organization, organization.whole(job)));
        organization.jobs.push_back(std::make_shared<packed_job const>(std::move(job)));
    }
    std::sort(organization.jobs.begin(), organization.jobs.end(), is_listed_before);
    organization.closings = closings_of(organization.jobs);
    organization.choices = choices_of(organization.jobs);
    organization.index = job_index(organization.jobs, organization.choices);
    auto const id = organization.id;
    changed_[id] = std::make_shared<published_organization const>(std::move(organization));
    return *this;
}

catalogue_builder& catalogue_builder::remove(uuid const& organization) {
    changed_[organization] = nullptr;
    return *this;
}

namespace {

// added: in their order; each stands before what equals it. A look at few of those kept: they lie all over the memory.
template <class T, class Less>
std::vector<T> merged(std::vector<T> kept, std::vector<T> const& added, Less const& less) {
    std::vector<T> all;
    all.reserve(kept.size() + added.size());
    auto from = kept.begin();
    for (auto const& one : added) {
        auto const to = std::lower_bound(from, kept.end(), one, less);
        all.insert(all.end(), std::make_move_iterator(from), std::make_move_iterator(to));
        all.push_back(one);
        from = to;
    }
    all.insert(all.end(), std::make_move_iterator(from), std::make_move_iterator(kept.end()));
    return all;
}

template <class T, class Kept>
std::vector<T> those(std::vector<T> const& of, Kept const& kept) {
    std::vector<T> out;
    out.reserve(of.size());
    std::ranges::copy_if(of, std::back_inserter(out), kept);
    return out;
}

} // namespace

catalogue catalogue_builder::build() {
    using organization_pointer = std::shared_ptr<published_organization const>;
    std::vector<published_organization const*> replaced; // by address, so that no other organization is looked at
    std::vector<organization_pointer> added;
    for (auto const& [id, put] : changed_) {
        if (auto const* const before = base_.find_organization(id)) replaced.push_back(before);
        if (put) added.push_back(put);
    }
    std::ranges::sort(replaced);
    std::vector<published_organization const*> added_by_slug;
    std::vector<catalogue::entry> added_jobs;
    for (auto const& put : added) {
        added_by_slug.push_back(put.get());
        for (auto const& job : put->jobs) added_jobs.push_back({put.get(), job.get()});
    }
    auto const by_id = [](auto const& a, auto const& b) { return a->id < b->id; };
    auto const by_slug = [](auto const* a, auto const* b) { return a->slug < b->slug; };
    auto const by_job_id = [](auto const& a, auto const& b) { return a.job->id < b.job->id; };
    std::ranges::stable_sort(added_by_slug, by_slug);
    std::ranges::sort(added_jobs, by_job_id);

    auto const is_kept = [&](published_organization const* held) {
        return !std::ranges::binary_search(replaced, held);
    };
    catalogue next;
    next.loaded_ = true;
    next.organizations_ =
        merged(those(base_.organizations_, [&](auto const& held) { return is_kept(held.get()); }), added, by_id);
    next.by_slug_ = merged(those(base_.by_slug_, is_kept), added_by_slug, by_slug);
    next.jobs_ =
        merged(those(base_.jobs_, [&](auto const& held) { return is_kept(held.organization); }), added_jobs, by_job_id);
    return next;
}

namespace {

// What a job's own record shows of its organization.
bool shows_the_same_in_jobs(published_organization const& a, published_organization const& b) {
    auto const shown = [](auto const& of) { return std::tie(of.slug, of.name, of.careers_page_url, of.apply_url); };
    return shown(a) == shown(b);
}

bool is_the_same(published_organization const& a, published_organization const& b) {
    auto const shown = [](auto const& of) {
        return std::tie(of.website_url, of.logo_url, of.accent_color, of.share_image_url, of.time_zone, of.country_code,
                        of.introduction_html);
    };
    return shows_the_same_in_jobs(a, b) && shown(a) == shown(b);
}

std::map<uuid, job_pointer> jobs_by_id(published_organization const* organization) {
    std::map<uuid, job_pointer> jobs;
    if (organization != nullptr)
        for (auto const& job : organization->jobs) jobs.emplace(job->id, job);
    return jobs;
}

std::vector<uuid> those_gone(catalogue const& base, organization_choice const& asked, std::set<uuid> const& found) {
    std::vector<uuid> gone;
    if (auto const* const ids = std::get_if<std::vector<uuid>>(&asked)) {
        for (auto const& id : *ids)
            if (!found.contains(id) && base.find_organization(id) != nullptr) gone.push_back(id);
        return gone;
    }
    auto const& range = std::get<organization_range>(asked);
    auto const& held = base.organizations();
    auto const id_of = [](auto const& organization) -> uuid const& { return organization->id; };
    auto at = range.after ? std::ranges::upper_bound(held, *range.after, {}, id_of) : held.begin();
    for (; at != held.end() && (!range.last || (*at)->id <= *range.last); ++at)
        if (!found.contains((*at)->id)) gone.push_back((*at)->id);
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
    std::vector<packed_job> rewritten;
    for (auto const& version : versions) {
        auto const job = held.find(version.job_id);
        bool const is_known = job != held.end() && job->second->updated_at == version.updated_at;
        if (!is_known) wanted_.push_back(version.job_id);
        else if (jobs_may_stay) found.jobs.push_back(job->second);
        else rewritten.push_back(*job->second);
    }
    bool const same_jobs = wanted_.size() == wanted_before && found.jobs.size() == held.size();
    if (before != nullptr && same_jobs && is_the_same(*before, found)) return;
    auto const id = found.id;
    changed_.emplace(id, changed_organization{std::move(found), std::move(rewritten)});
}

void catalogue_reload::add(job_of read) {
    auto const organization = changed_.find(read.organization_id);
    if (organization == changed_.end()) return;
    read.job.description_html = html::sanitize(read.job.description_html); // rows may be older than import's sanitiser
    organization->second.read.emplace_back(read.job);
}

void catalogue_reload::put_into(catalogue_builder& next) {
    for (auto& [id, changed] : changed_) next.put(std::move(changed.organization), std::move(changed.read));
    for (auto const& id : gone_) next.remove(id);
}

} // namespace recruiting::public_api
