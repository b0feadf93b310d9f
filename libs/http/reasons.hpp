// The words that details[].reason may hold, for bodies and queries alike. No other word leaves: problem_response writes
// "invalid" for it. proto-docs/errors.md and the OpenAPI documents list the same words, which a test holds.
#pragma once
#include <algorithm>
#include <array>
#include <string_view>

namespace recruiting::http {

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
    "repeated",
    "bad_encoding",
    "malformed_json",
    "too_many",
    "too_costly",
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
    "api_key",
    "revoked",
    "expired",
    "missing_scope",
    "missing_role",
    // Which limit was reached.
    "edge",
    "booking_client",
    "booking_address",
    "booking_changes",
    "agent_runs",
    "concurrency",
});

[[nodiscard]] constexpr bool is_detail_reason(std::string_view word) noexcept {
    return std::find(detail_reasons.begin(), detail_reasons.end(), word) != detail_reasons.end();
}

} // namespace recruiting::http
