#include "http/loggable_path.hpp"

#include "core/ids.hpp"
#include "core/text.hpp"

#include <algorithm>
#include <array>

namespace recruiting::http {
namespace {

constexpr std::size_t longest_loggable = 512;
constexpr std::size_t longest_slug = 63;
constexpr std::string_view parameter = "{id}";

// The gateway knows prefixes only, and logs paths of every service: all routes' words stand here. Unit tests compare
// them with the route tables.
constexpr std::string_view words[] = {
    "agent",         "api",         "api-keys",    "audit",      "billing",    "bookings",     "callback",
    "cancel",        "candidates",  "careers",     "chain",      "close",      "console",      "decline",
    "deliveries",    "docs",        "hand-over",   "inspect",    "interviews", "invitation",   "invitations",
    "invite.ics",    "invocations", "invoke",      "jobs",       "jobs.json",  "jobs.rss",     "jobs.xml",
    "join",          "jsonld",      "key-effects", "limits",     "link",       "list.js",      "manage",
    "mcp",           "me",          "members",     "move",       "oidc",       "openapi.json", "organization",
    "organizations", "pipeline",    "public",      "reschedule", "resend",     "restore",      "revoke",
    "scheduling",    "scopes",      "secret",      "session",    "sessions",   "settings",     "sign-in-links",
    "sitemap.xml",   "slots",       "stages",      "start",      "style.css",  "test",         "timeline",
    "times.js",      "unmatched",   "v1",          "v1.js",      "webhooks",   "widget"};
static_assert(std::ranges::is_sorted(words));

constexpr std::array<std::string_view, 2> before_slugs = {"/api/public/v1/organizations/", "/careers/"};

bool is_slug(std::string_view segment) noexcept {
    return segment.size() <= longest_slug && segment.front() != '-' && std::ranges::all_of(segment, [](char c) {
               return c == '-' || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
           });
}

// before: the path up to the segment.
bool is_loggable(std::string_view segment, std::string_view before) {
    if (segment.empty() || std::ranges::binary_search(words, segment) || parse_id(segment)) return true;
    return std::ranges::find(before_slugs, before) != before_slugs.end() && is_slug(segment);
}

} // namespace

std::string loggable_path(std::string_view path) {
    std::string out;
    for (std::size_t at = 0; at <= path.size();) {
        auto const end = std::min(path.find('/', at), path.size());
        auto const segment = path.substr(at, end - at);
        auto const shown = is_loggable(segment, path.substr(0, at)) ? segment : parameter;
        if (out.size() + shown.size() + 1 > longest_loggable) break;
        out += shown;
        if (end < path.size()) out += '/';
        at = end + 1;
    }
    return out;
}

} // namespace recruiting::http
