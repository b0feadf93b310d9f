#include "auth_api/resources/endpoints.hpp"
#include "auth_api/resources/shared_fields.hpp"

namespace recruiting::auth_api {
namespace {

// GET /organization. The counts are of what the lists of members and jobs show.
constexpr auto organization_sql = R"sql(
SELECT o.id, o.name, o.slug, o.website_url, o.logo_url, o.accent_color, o.share_image_url, o.apply_url,
       o.introduction_html, o.time_zone, o.country_code, o.careers_page_url,
       (SELECT count(*) FROM recruiting.memberships m WHERE m.organization_id = o.id AND m.status = 'active'),
       (SELECT count(*) FROM recruiting.jobs j
        WHERE j.organization_id = o.id AND j.status = 'open' AND j.deleted_at IS NULL),
       o.created_at, o.updated_at
FROM recruiting.organizations o WHERE o.id = (SELECT recruiting.current_organization_id())
)sql";

result<void> render_organization(std::span<pg::rows const> results, render_context const&, http::response& answer) {
    return render_record(results[0], answer, [](http::json_writer& json, pg::row row) {
        write_columns(json, row,
                      {"id", "name", "slug", "websiteUrl", "logoUrl", "accentColor", "shareImageUrl", "applyUrl",
                       "introductionHtml", "timeZone", "countryCode", "careersPageUrl", "memberCount", "openJobCount",
                       "createdAt", "updatedAt"});
    });
}

} // namespace

result<prepared_read> get_organization(bind_input& in) {
    if (auto const checked = finish_query(in); !checked) return checked.error();
    return prepared_read{{{organization_sql, {}}}, render_organization};
}

} // namespace recruiting::auth_api
