#include "auth_api/console/cross_site.hpp"

#include "auth/session.hpp"
#include "core/text.hpp"

#include <string>

namespace recruiting::auth_api::console {
namespace {

api_error foreign(std::string_view field, std::string_view reason, std::string message) {
    auto error = make_error(error_code::cross_site_request);
    error.details.push_back({"header", std::string(field), std::string(reason), std::move(message)});
    return error;
}

// A default port and the host's case do not tell two origins apart; browsers write neither.
bool is_same_origin(std::string_view origin, std::string_view public_url) { return iequals(origin, public_url); }

// GET and HEAD change nothing and are not checked.
bool is_safe_method(std::string_view method) noexcept { return method == "GET" || method == "HEAD"; }

} // namespace

std::optional<api_error> refuse_cross_site(http::request const& req, std::string_view public_url) {
    if (is_safe_method(req.method)) return std::nullopt;
    if (req.header_count("Sec-Fetch-Site") > 0) {
        if (req.header_count("Sec-Fetch-Site") == 1 && req.header("Sec-Fetch-Site") == "same-origin")
            return std::nullopt;
        return foreign("Sec-Fetch-Site", "not_allowed", "Must be same-origin.");
    }
    auto const origins = req.header_count("Origin");
    if (origins == 0) return foreign("Sec-Fetch-Site", "missing", "Must be sent, or Origin.");
    if (origins == 1 && is_same_origin(req.header("Origin"), public_url)) return std::nullopt;
    return foreign("Origin", "not_allowed", "Must be the origin of the console.");
}

std::optional<api_error> refuse_without_token(http::request const& req, std::string_view session_secret) {
    if (is_safe_method(req.method)) return std::nullopt;
    if (req.header_count("X-CSRF-Token") == 0)
        return foreign("X-CSRF-Token", "missing", "Must be csrfToken of GET /console/api/session.");
    auto const expected = auth::csrf_token(session_secret);
    if (req.header_count("X-CSRF-Token") == 1 && equal_constant_time(req.header("X-CSRF-Token"), expected))
        return std::nullopt;
    return foreign("X-CSRF-Token", "invalid", "Must be csrfToken of GET /console/api/session.");
}

} // namespace recruiting::auth_api::console
