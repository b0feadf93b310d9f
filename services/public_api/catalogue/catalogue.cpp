#include "public_api/catalogue/catalogue.hpp"

namespace recruiting::public_api {

published_organization const* catalogue::find_organization(std::string_view slug) const noexcept {
    auto const found = by_slug_.find(slug);
    return found == by_slug_.end() ? nullptr : found->second.get();
}

catalogue::entry catalogue::find_job(uuid const& id, timestamp now) const noexcept {
    auto const found = by_id_.find(id);
    if (found == by_id_.end() || !found->second.job->is_open(now)) return {};
    return found->second;
}

} // namespace recruiting::public_api
