// Finds an API key that was sent where none may be (specification: Public API, rule 3). Pure; keeps nothing of the key.
#pragma once
#include "core/error.hpp"
#include "http/message.hpp"

#include <optional>

namespace recruiting::public_api {

/// The refusal for a request with something shaped like a key's secret in a header or in the target, percent-encoded
/// or not. It names the place and never the value.
[[nodiscard]] std::optional<api_error> refuse_api_key(http::request const& req);

} // namespace recruiting::public_api
