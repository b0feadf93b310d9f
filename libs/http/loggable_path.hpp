// What logs and audit rows keep of a request's path.
#pragma once
#include <string>
#include <string_view>

namespace recruiting::http {

/// The path with "{id}" for each segment that may hold what a client chose, such as an e-mail address, a key or the
/// token of a link. What stays: the words of our routes, ids (32 hex characters or a dashed UUID), and an
/// organization's slug below /careers/ and /api/public/v1/organizations/, where slugs are public. At most 512 bytes,
/// cut before a segment. path: without the query string.
[[nodiscard]] std::string loggable_path(std::string_view path);

} // namespace recruiting::http
