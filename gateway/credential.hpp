// Does a request to the public API carry an API key (design: Public API)? It has no place there: the edge refuses the
// request, and the key is neither sent on nor logged. Pure.
#pragma once
#include "gateway/head.hpp"
#include "gateway/route.hpp"

#include <string>
#include <string_view>

namespace recruiting::gateway {

/// Where the key was seen: "Authorization", another field's name, "query", "path"; empty: nowhere. A bearer token
/// counts whatever it looks like; elsewhere the prefix of a secret gives it away, percent-encoded or in Basic
/// credentials too.
[[nodiscard]] std::string_view find_credential(request_head const& head);

/// Has a target, a path or a field the prefix of a secret, percent-encoded or not?
[[nodiscard]] bool target_holds_secret(std::string_view target);

/// A path (of a route, or nullptr) as the log may have it: secrets and the tokens of e-mailed links are left out.
[[nodiscard]] std::string loggable_path(std::string_view path, route const* to);

} // namespace recruiting::gateway
