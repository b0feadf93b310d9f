#include "public_api/organizations/get_organization.hpp"

#include "http/json_writer.hpp"

namespace recruiting::public_api {

result<plan> get_organization(call const& from) {
    auto const* const found = from.published.find_organization(from.params[0]);
    if (found == nullptr) return make_error(error_code::not_found);
    http::response answer;
    http::json_writer json(answer.body);
    json.open_object().key("data").open_object();
    json.field("name", found->name)
        .field("slug", found->slug)
        .field("websiteUrl", found->website_url)
        .field("logoUrl", found->logo_url)
        .field("timeZone", found->time_zone)
        .field("openJobCount", found->open_job_count(from.now));
    json.close_object().close_object();
    return answered(std::move(answer));
}

} // namespace recruiting::public_api
