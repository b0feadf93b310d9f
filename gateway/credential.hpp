// What of a request may not be logged or sent on, because it could be a secret. Pure.
#pragma once
#include "gateway/head.hpp"
#include "gateway/route.hpp"

#include <string>
#include <string_view>

namespace recruiting::gateway {

/// Has a target, a path or a field the prefix of a secret, percent-encoded or not?
[[nodiscard]] bool target_holds_secret(std::string_view target);

/// A path (of a route, or nullptr) as the log may have it: secrets and the tokens of e-mailed links are left out.
[[nodiscard]] std::string loggable_path(std::string_view path, route const* to);

} // namespace recruiting::gateway
