// Cross-site request forgery: whether a request comes from the console's own pages. Pure.
#pragma once
#include "core/error.hpp"
#include "http/message.hpp"

#include <optional>
#include <string_view>

namespace recruiting::auth_api::console {

/// cross_site_request unless the browser says that the request is of the same origin (Fetch Metadata, Sec-Fetch-Site),
/// or, where it does not send that, Origin (RFC 6454 section 7) is the public URL's. nullopt: it is, or the method is
/// safe.
[[nodiscard]] std::optional<api_error> refuse_cross_site(http::request const& req, std::string_view public_url);

/// cross_site_request unless X-CSRF-Token is the session's; nullopt also for safe methods. For requests of a session,
/// after refuse_cross_site.
[[nodiscard]] std::optional<api_error> refuse_without_token(http::request const& req, std::string_view session_secret);

} // namespace recruiting::auth_api::console
