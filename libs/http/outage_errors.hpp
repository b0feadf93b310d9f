// What a 503 says of a request whose service or dependency failed. The three cases differ in what the client may
// conclude, so each has one message, at the gateway and at the services (proto-docs/errors.md).
#pragma once
#include "core/error.hpp"

namespace recruiting::http {

/// The request reached no service: nothing was changed.
[[nodiscard]] api_error not_forwarded();

/// The request may have had its effect. It has an Idempotency-Key, so the same request may be sent again.
[[nodiscard]] api_error outcome_unknown_with_key();

/// The request may have had its effect, and must not be sent again.
[[nodiscard]] api_error outcome_unknown_without_key();

} // namespace recruiting::http
