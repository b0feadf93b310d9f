#include "auth_api/resources/organization.hpp"

#include "auth_api/resources/organization_store.hpp"
#include "http/json_writer.hpp"

namespace recruiting::auth_api {
namespace {

result<void> render_organization(std::span<pg::rows const> results, render_context const&, http::response& answer) {
    auto const& row = results[0];
    if (row.empty()) return make_error(error_code::not_found);
    http::json_writer json(answer.body);
    json.open_object()
        .key("data")
        .open_object()
        .field("id", row.id(0, 0))
        .field("name", row.text(0, 1))
        .field("slug", row.text(0, 2))
        .field("websiteUrl", row.optional_text(0, 3))
        .field("logoUrl", row.optional_text(0, 4))
        .field("timeZone", row.text(0, 5))
        .field("countryCode", row.optional_text(0, 6))
        .field("careersPageUrl", row.optional_text(0, 7))
        .field("memberCount", row.integer(0, 10))
        .field("openJobCount", row.integer(0, 11))
        .field("createdAt", row.time(0, 8))
        .field("updatedAt", row.time(0, 9))
        .close_object()
        .close_object();
    return {};
}

} // namespace

result<prepared_read> get_organization(bind_input& in) {
    if (auto const checked = finish_query(in); !checked) return checked.error();
    return prepared_read{{organization_record()}, render_organization, nullptr};
}

} // namespace recruiting::auth_api
