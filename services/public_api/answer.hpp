// What every answer of the public API carries beyond its body: CORS, caching, conditional requests, compression. Pure
// but for the cache of compressed bodies.
#pragma once
#include "http/message.hpp"
#include "public_api/gzip_cache.hpp"

#include <string>
#include <string_view>

namespace recruiting::public_api {

/// "…" with a hash of the body: a strong validator (RFC 9110 section 8.8.3).
[[nodiscard]] std::string etag_of(std::string_view body);

/// Does If-None-Match name this tag (RFC 9110 section 13.1.2: * or a list, compared weakly)?
[[nodiscard]] bool names_etag(std::string_view if_none_match, std::string_view etag);

/// 204 for OPTIONS on any path. Authorization is not among the allowed fields, so that a browser can't even send a key.
[[nodiscard]] http::response preflight();

/// What the request says about the representation it wants.
struct asked_for {
    std::string_view method;
    std::string_view if_none_match;
    std::string_view accept_encoding;
};

/// Turns a 200 to GET or HEAD into one that may be kept: validator, compression where it is wanted and worth it, or 304
/// when the client has it already. Anything else is not kept. An answer that has its own Cache-Control keeps it, and
/// one that may not be kept by all is left as it is. An ETag that is there already is that of the uncompressed body.
void make_cacheable(http::response& answer, asked_for const& asked, gzip_cache& compressed);

/// CORS and the request's id: on every answer but those about documents, errors included, Origin or not. Never
/// Allow-Credentials.
void complete(http::response& answer, std::string_view request_id);

} // namespace recruiting::public_api
