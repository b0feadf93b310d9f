// An API key that was sent where none may be (proto-docs/keys.md). Pure.
#pragma once
#include "crypto/api_key_form.hpp"
#include "gateway/client_request.hpp"

#include <optional>

namespace recruiting::gateway {

/// The first key in a field or the target; a bearer token of another kind is none.
[[nodiscard]] std::optional<exposed_key> find_exposure(http::request_head const& head);

} // namespace recruiting::gateway
