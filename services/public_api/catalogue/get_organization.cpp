#include "public_api/catalogue/get_organization.hpp"

#include "http/json_writer.hpp"
#include "public_api/catalogue/named_organization.hpp"

namespace recruiting::public_api {

result<plan> get_organization(call const& from) {
    auto const named = named_organization(from, from.params[0]);
    if (!named) return named.error();
    auto const* const found = *named;
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
