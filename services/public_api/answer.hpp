// What every answer of the public API carries beyond its body: CORS, caching, conditional requests. Pure.
#pragma once
#include "http/message.hpp"

#include <string>
#include <string_view>

namespace recruiting::public_api {

/// "…" with a hash of the body: a strong validator (RFC 9110 section 8.8.3).
[[nodiscard]] std::string etag_of(std::string_view body);

/// Does If-None-Match name this tag (RFC 9110 section 13.1.2: * or a list, compared weakly)?
[[nodiscard]] bool names_etag(std::string_view if_none_match, std::string_view etag);

/// 204 for OPTIONS on any path. Authorization is not among the allowed fields, so that a browser can't even send a key.
[[nodiscard]] http::response preflight();

/// Turns a 200 into one that may be kept, or into 304 when the client has it already. Anything else is not kept.
void make_cacheable(http::response& answer, std::string_view if_none_match);

/// CORS and the request's id: on every answer, errors included, Origin or not. Never Allow-Credentials.
void complete(http::response& answer, std::string_view request_id);

} // namespace recruiting::public_api
