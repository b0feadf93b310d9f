// The one place that turns an error into an answer (proto-docs/errors.md): the API's envelope, or RFC 9457 when
// the client accepts application/problem+json. Only public text leaves.
#pragma once
#include "core/error.hpp"
#include "http/message.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>

namespace recruiting::http {

// The words that details[].reason may hold, for bodies and queries alike. No other word leaves: problem_response writes
// "invalid" for it. proto-docs/errors.md and the OpenAPI documents list the same words, which a test holds.
inline constexpr auto detail_reasons = std::to_array<std::string_view>({
    // What is wrong with a value.
    "missing",
    "empty",
    "wrong_type",
    "invalid",
    "too_long",
    "too_short",
    "out_of_range",
    "not_allowed",
    "unknown",
    "unknown_value",
    "repeated",
    "bad_encoding",
    "malformed_json",
    "too_many",
    "too_costly",
    // What the directory refuses of a value that is well-formed.
    "taken",
    "mismatch",
    "last_admin",
    "no_slots",
    "too_many_slots",
    "too_many_keys",
    "removed",
    "not_invited",
    "unknown_scope",
    // Tokens that this API gave.
    "bad_cursor",
    "cursor_mismatch",
    "bad_token",
    "sync_token_expired",
    // What cannot be combined.
    "not_with_session_id",
    "not_with_sync_token",
    "not_with_filters",
    // Credentials.
    "multiple_credentials",
    "not_a_bearer_token",
    "key_id",
    "api_key",
    "revoked",
    "expired",
    "missing_scope",
    "missing_role",
    // Which limit was reached.
    "gateway",
    "booking_client",
    "booking_address",
    "booking_changes",
    "agent_runs",
    "sign_in_client",
    "invitations",
    "slots",
    "concurrency",
});

[[nodiscard]] constexpr bool is_detail_reason(std::string_view word) noexcept {
    return std::find(detail_reasons.begin(), detail_reasons.end(), word) != detail_reasons.end();
}

/// accept: the request's Accept field. Gives the first 20 details at most, in a body of at most 16 KiB.
[[nodiscard]] response problem_response(api_error const& error, std::string_view request_id, std::string_view accept);

// What a 503 says of a request whose service or dependency failed. The three cases differ in what the client may
// conclude, so each has one message, at the gateway and at the services (proto-docs/errors.md).

/// The request reached no service: nothing was changed.
[[nodiscard]] api_error not_forwarded();

/// The request may have had its effect. It has an Idempotency-Key, so the same request may be sent again.
[[nodiscard]] api_error outcome_unknown_with_key();

/// The request may have had its effect, and must not be sent again.
[[nodiscard]] api_error outcome_unknown_without_key();

/// For refusals of mistyped parameters and fields: the one of known that is at most two edits from name, letters' case
/// aside; an edit adds, removes or replaces a character or swaps two neighbours. Of names under six characters only one
/// edit. Empty: none is that near, and some letter must be left as it was.
[[nodiscard]] std::string_view nearest(std::string_view name, std::span<std::string_view const> known);

/// What the refusal of an unknown name says: `what`, and the known name that was probably meant.
[[nodiscard]] std::string unknown_message(std::string_view what, std::string_view name,
                                          std::span<std::string_view const> known);

/// credential_not_allowed, for an API key where none may be (find_key). It names the location (exposed_key::location)
/// and never the value, and is the same for every key.
[[nodiscard]] api_error key_not_allowed(std::string_view location);

} // namespace recruiting::http
