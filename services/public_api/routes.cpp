#include "public_api/routes.hpp"

#include "core/text.hpp"
#include "public_api/booking/interview_page.hpp"
#include "public_api/booking/schedule.hpp"
#include "public_api/catalogue/endpoints.hpp"
#include "public_api/docs/document_site.hpp"
#include "public_api/feeds/feeds.hpp"
#include "public_api/pages/assets.hpp"
#include "public_api/pages/careers_page.hpp"

#include <array>

namespace recruiting::public_api {
namespace {

constexpr auto table = std::to_array<route>({
    {"GET", "/api/public/v1/organizations/{slug}", get_organization},
    {"GET", "/api/public/v1/organizations/{slug}/jobs", list_organization_jobs},
    {"GET", "/api/public/v1/organizations/{slug}/jobs.rss", get_rss},
    {"GET", "/api/public/v1/organizations/{slug}/jobs.json", get_json_feed},
    {"GET", "/api/public/v1/organizations/{slug}/jobs.xml", get_job_board_xml},
    {"GET", "/api/public/v1/organizations/{slug}/sitemap.xml", get_sitemap},
    {"GET", "/api/public/v1/jobs", list_jobs},
    {"GET", "/api/public/v1/jobs/{jobId}", get_job},
    {"GET", "/api/public/v1/jobs/{jobId}/jsonld", get_job_posting},
    // These rows come before those with ids, to which "manage" would be the id of a job.
    {"GET", "/api/public/v1/scheduling/manage/{token}", show_booking},
    {"GET", "/api/public/v1/scheduling/manage/{token}/slots", list_free_slots},
    {"POST", "/api/public/v1/scheduling/manage/{token}/reschedule", reschedule},
    {"POST", "/api/public/v1/scheduling/manage/{token}/cancel", cancel},
    {"GET", "/api/public/v1/scheduling/manage/{token}/invite.ics", get_invitation},
    {"GET", "/api/public/v1/scheduling/{jobId}/{stageId}/slots", list_slots},
    {"POST", "/api/public/v1/scheduling/{jobId}/{stageId}/bookings", request_booking},
    {"GET", "/api/public/v1/openapi.json", get_openapi},
    {"GET", "/careers/style.css", get_style},
    {"GET", "/careers/list.js", get_careers_script},
    {"GET", "/careers/{slug}", get_careers_page},
    {"GET", "/careers/{slug}/jobs/{jobId}", get_job_page},
    {"GET", "/interviews/times.js", get_interview_script},
    {"GET", "/interviews/{token}", show_interview},
    {"GET", "/interviews/{token}/join", join_interview},
    {"POST", "/interviews/{token}/reschedule", reschedule_interview},
    {"POST", "/interviews/{token}/cancel", cancel_interview},
    {"GET", "/interviews/{token}/invite.ics", get_invitation},
    {"GET", "/interviews/{token}/decline", show_decline},
    {"POST", "/interviews/{token}/decline", decline},
    {"GET", "/interviews/{token}/decline/invite.ics", get_interviewer_invitation},
    {"GET", "/widget/v1.js", get_widget},
    {.method = "GET", .path = documentation, .action = get_document, .takes_all_below = true},
});

} // namespace

std::span<route const> routes() noexcept { return table; }

route_match find_route(std::string_view method, std::string_view path) {
    auto match = http::find_route(routes(), method, path);
    if (!match.allow.empty() && !is_document(match)) match.allow += ", OPTIONS";
    return match;
}

bool is_document(route_match const& match) noexcept {
    return match.known != nullptr && match.known->path == documentation;
}

namespace {

// The page's own address; "" where the catalogue has no such page.
std::string page_address(route_match const& match, std::string_view path, catalogue const& published, timestamp now) {
    if (match.found->action != get_careers_page && match.found->action != get_job_page) return std::string(path);
    auto const* const organization = published.find_organization(to_lower(match.params[0]));
    if (organization == nullptr) return {};
    auto address = "/careers/" + organization->slug;
    if (match.found->action == get_careers_page) return address;
    auto const found = published.find_job(match.params[1], now);
    return found.organization == organization ? address + "/jobs/" + to_string(found.job->id) : std::string();
}

} // namespace

std::optional<std::string> moved_page(http::request const& req, catalogue const& published, timestamp now) {
    bool const is_page = req.path.starts_with("/careers/") || req.path.starts_with("/interviews/");
    if (!is_page || !http::answers_method("GET", req.method)) return std::nullopt;
    auto const path = std::string_view(req.path).substr(0, req.path.find_last_not_of('/') + 1);
    auto const match = http::find_route(routes(), req.method, path);
    if (match.found == nullptr) return std::nullopt;
    auto address = page_address(match, path, published, now);
    if (address.empty() || address == req.path) return std::nullopt;
    if (!req.query.empty()) address.append("?").append(req.query);
    return address;
}

published_organization const* organization_of(route_match const& match, catalogue const& published, timestamp now) {
    if (match.known == nullptr) return nullptr;
    auto const path = match.known->path;
    if (path.find("{slug}") != path.npos) return published.find_organization(match.params[0]);
    if (path.find("{jobId}") == path.npos) return nullptr;
    return published.find_job(match.params[0], now).organization;
}

} // namespace recruiting::public_api
