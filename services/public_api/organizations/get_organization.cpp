#include "public_api/organizations/get_organization.hpp"

#include "http/json_writer.hpp"
#include "public_api/organizations/organization_store.hpp"
#include "public_api/organizations/slug.hpp"

namespace recruiting::public_api {
namespace {

result<http::response> render(std::vector<pg::rows> const& results) {
    namespace column = organization_column;
    auto const& found = results.at(0);
    if (found.empty()) return make_error(error_code::not_found);
    http::response answer;
    http::json_writer json(answer.body);
    json.open_object().key("data").open_object();
    json.field("name", found.text(0, column::name))
        .field("slug", found.text(0, column::slug))
        .field("websiteUrl", found.optional_text(0, column::website_url))
        .field("logoUrl", found.optional_text(0, column::logo_url))
        .field("timeZone", found.text(0, column::time_zone))
        .field("openJobCount", found.integer(0, column::open_job_count));
    json.close_object().close_object();
    return answer;
}

} // namespace

result<plan> get_organization(call const& from) {
    auto const& slug = from.params[0];
    if (!is_slug(slug)) return make_error(error_code::not_found);
    plan out;
    out.segment.push_back(select_organization(slug));
    out.render = render;
    return out;
}

} // namespace recruiting::public_api
