#include "auth_api/resources/endpoints.hpp"
#include "auth_api/resources/shared_fields.hpp"

namespace recruiting::auth_api {
namespace {

// GET /organization. The counts are of what the lists of members and jobs show.
constexpr auto organization_sql = R"sql(
SELECT o.id, o.name, o.slug, o.website_url, o.logo_url, o.time_zone, o.country_code, o.careers_page_url,
       o.created_at, o.updated_at, o.accent_color, o.share_image_url, o.apply_url,
       (SELECT count(*) FROM recruiting.memberships m WHERE m.organization_id = o.id AND m.status = 'active'),
       (SELECT count(*) FROM recruiting.jobs j
        WHERE j.organization_id = o.id AND j.status = 'open' AND j.deleted_at IS NULL)
FROM recruiting.organizations o WHERE o.id = (SELECT recruiting.current_organization_id())
)sql";
struct organization_columns {
    enum : int {
        id,
        name,
        slug,
        website_url,
        logo_url,
        time_zone,
        country_code,
        careers_page_url,
        created_at,
        updated_at,
        accent_color,
        share_image_url,
        apply_url,
        members,
        open_jobs
    };
};

result<void> render_organization(std::span<pg::rows const> results, render_context const&, http::response& answer) {
    using columns = organization_columns;
    auto const& organization = results[0];
    return render_record(organization, answer, [&](http::json_writer& json) {
        json.field("id", organization.id(0, columns::id))
            .field("name", organization.text(0, columns::name))
            .field("slug", organization.text(0, columns::slug))
            .field("websiteUrl", organization.optional_text(0, columns::website_url))
            .field("logoUrl", organization.optional_text(0, columns::logo_url))
            .field("accentColor", organization.optional_text(0, columns::accent_color))
            .field("shareImageUrl", organization.optional_text(0, columns::share_image_url))
            .field("applyUrl", organization.optional_text(0, columns::apply_url))
            .field("timeZone", organization.text(0, columns::time_zone))
            .field("countryCode", organization.optional_text(0, columns::country_code))
            .field("careersPageUrl", organization.optional_text(0, columns::careers_page_url))
            .field("memberCount", organization.integer(0, columns::members))
            .field("openJobCount", organization.integer(0, columns::open_jobs))
            .field("createdAt", organization.time(0, columns::created_at))
            .field("updatedAt", organization.time(0, columns::updated_at));
    });
}

} // namespace

result<prepared_read> get_organization(bind_input& in) {
    if (auto const checked = finish_query(in); !checked) return checked.error();
    return prepared_read{{{organization_sql, {}}}, render_organization, nullptr};
}

} // namespace recruiting::auth_api
