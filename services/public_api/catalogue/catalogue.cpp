#include "public_api/catalogue/catalogue.hpp"

#include "core/url.hpp"

#include <algorithm>

namespace recruiting::public_api {

std::size_t published_organization::open_job_count(timestamp now) const noexcept {
    auto const closed = std::upper_bound(closings.begin(), closings.end(), now) - closings.begin();
    return jobs.size() - static_cast<std::size_t>(closed);
}

std::string published_organization::public_url(uuid const& job) const {
    return job_page_url(careers_page_url.value_or(""), origin, slug, job);
}

published_job published_organization::summary(packed_job const& job) const {
    auto out = facts_of(job);
    out.public_url = public_url(job.id);
    out.apply_url = out.own_apply_url ? out.own_apply_url : apply_url;
    return out;
}

published_job published_organization::whole(packed_job const& job) const {
    auto out = summary(job);
    unpack_description(job, out);
    return out;
}

published_organization const* catalogue::find_organization(std::string_view slug) const noexcept {
    auto const at = std::lower_bound(by_slug_.begin(), by_slug_.end(), slug,
                                     [](auto const* held, std::string_view wanted) { return held->slug < wanted; });
    return at == by_slug_.end() || (*at)->slug != slug ? nullptr : *at;
}

published_organization const* catalogue::find_organization(uuid const& id) const noexcept {
    auto const at = std::lower_bound(organizations_.begin(), organizations_.end(), id,
                                     [](auto const& held, uuid const& wanted) { return held->id < wanted; });
    return at == organizations_.end() || (*at)->id != id ? nullptr : at->get();
}

catalogue::entry catalogue::find_job(uuid const& id, timestamp now) const noexcept {
    auto const at = std::lower_bound(jobs_.begin(), jobs_.end(), id,
                                     [](entry const& held, uuid const& wanted) { return held.job->id < wanted; });
    if (at == jobs_.end() || at->job->id != id || !at->job->is_open(now)) return {};
    return *at;
}

catalogue::entry catalogue::find_job(std::string_view id, timestamp now) const noexcept {
    auto const parsed = parse_id(id);
    return parsed ? find_job(*parsed, now) : entry{};
}

} // namespace recruiting::public_api
