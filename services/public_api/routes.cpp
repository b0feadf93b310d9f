#include "public_api/routes.hpp"

#include "public_api/booking/interview.hpp"
#include "public_api/booking/manage.hpp"
#include "public_api/booking/request_booking.hpp"
#include "public_api/booking/slots.hpp"
#include "public_api/catalogue/endpoints.hpp"
#include "public_api/docs/endpoints.hpp"
#include "public_api/feeds/endpoints.hpp"
#include "public_api/pages/assets.hpp"
#include "public_api/pages/careers_page.hpp"
#include "public_api/pages/job_page.hpp"
#include "public_api/widget/widget.hpp"

#include <array>

namespace recruiting::public_api {
namespace {

constexpr auto table = std::to_array<route>({
    {"GET", prefix, "/organizations/{slug}", get_organization},
    {"GET", prefix, "/organizations/{slug}/jobs", list_organization_jobs},
    {"GET", prefix, "/organizations/{slug}/jobs.rss", get_rss},
    {"GET", prefix, "/organizations/{slug}/jobs.json", get_json_feed},
    {"GET", prefix, "/organizations/{slug}/jobs.xml", get_job_board_xml},
    {"GET", prefix, "/organizations/{slug}/sitemap.xml", get_sitemap},
    {"GET", prefix, "/jobs", list_jobs},
    {"GET", prefix, "/jobs/{jobId}", get_job},
    {"GET", prefix, "/jobs/{jobId}/jsonld", get_job_posting},
    // These before the rows with ids: "manage" would be a job's.
    {"GET", prefix, "/scheduling/manage/{token}", show_booking},
    {"GET", prefix, "/scheduling/manage/{token}/slots", list_free_slots},
    {"POST", prefix, "/scheduling/manage/{token}/reschedule", reschedule},
    {"POST", prefix, "/scheduling/manage/{token}/cancel", cancel},
    {"GET", prefix, "/scheduling/manage/{token}/invite.ics", get_invitation},
    {"GET", prefix, "/scheduling/{jobId}/{stageId}/slots", list_slots},
    {"POST", prefix, "/scheduling/{jobId}/{stageId}/bookings", request_booking},
    {"GET", prefix, "/openapi.json", get_openapi},
    {"GET", pages, "/careers/style.css", get_style},
    {"GET", pages, "/careers/{slug}", get_careers_page},
    {"GET", pages, "/careers/{slug}/jobs/{jobId}", get_job_page},
    {"GET", pages, "/interviews/local_times.js", get_interview_script},
    {"GET", pages, "/interviews/{token}", show_interview},
    {"GET", pages, "/interviews/{token}/join", join_interview},
    {"POST", pages, "/interviews/{token}/reschedule", reschedule_interview},
    {"POST", pages, "/interviews/{token}/cancel", cancel_interview},
    {"GET", pages, "/interviews/{token}/invite.ics", get_invitation},
    {"GET", pages, "/widget/v1.js", get_widget},
    {"GET", documentation, everything_below, get_document},
});

// Parameters of the path when it is the row's.
std::optional<http::path_params> match(route const& row, std::string_view rest) {
    if (row.pattern != everything_below) return http::match_path(row.pattern, rest);
    return rest.empty() || rest.starts_with('/') ? std::optional(http::path_params()) : std::nullopt;
}

bool answers(std::string_view route_method, std::string_view method) noexcept {
    return route_method == method || (route_method == "GET" && method == "HEAD");
}

} // namespace

std::span<route const> routes() noexcept { return table; }

bool route_match::is_document() const noexcept { return index && table[*index].base == documentation; }

route_match find_route(std::string_view method, std::string_view path) {
    route_match found;
    std::string allow;
    for (std::size_t i = 0; i < table.size(); ++i) {
        auto const& row = table[i];
        if (!path.starts_with(row.base)) continue;
        auto const rest = path.substr(row.base.size());
        if (!rest.starts_with(row.pattern.substr(0, row.pattern.find('{')))) continue; // most rows, quickly
        auto params = match(row, rest);
        if (!params) continue;
        found.index = i;
        found.params = std::move(*params);
        if (answers(table[i].method, method)) return found;
        allow += std::string(table[i].method) + (table[i].method == "GET" ? ", HEAD, " : ", ");
    }
    if (found.index) found.allow = found.is_document() ? "GET, HEAD" : allow + "OPTIONS";
    return found;
}

published_organization const* organization_of(route_match const& match, catalogue const& published, timestamp now) {
    if (!match.index) return nullptr;
    auto const pattern = table[*match.index].pattern;
    if (pattern.find("{slug}") != pattern.npos) return published.find_organization(match.params[0]);
    if (pattern.find("{jobId}") == pattern.npos) return nullptr;
    auto const job = parse_id(match.params[0]);
    return job ? published.find_job(*job, now).organization : nullptr;
}

} // namespace recruiting::public_api
