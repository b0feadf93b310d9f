// What of a request may not be logged or sent on, because it could be a secret; and an API key that was sent where none
// may be (proto-docs/keys.md). The functions are pure.
#pragma once
#include "crypto/api_key_form.hpp"
#include "gateway/client_request.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace recruiting::gateway {

/// The first key in a field or the target; a bearer token of another kind is none.
[[nodiscard]] std::optional<exposed_key> find_exposure(http::request_head const& head);

/// Has a target, a path or a field the prefix of a secret, percent-encoded or not?
[[nodiscard]] bool target_holds_secret(std::string_view target);

/// A path (of a route, or nullptr) as the log may have it: secrets and the tokens of e-mailed links are left out.
[[nodiscard]] std::string loggable_path(std::string_view path, route const* to);

} // namespace recruiting::gateway
