// What the provider sends the browser back with (OpenID Connect Core 1.0 sections 3.1.2.5 and 3.1.2.6, RFC 9207), and
// how a sign-in can end. Pure.
#pragma once
#include "auth_api/console/oidc/flow.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace recruiting::auth_api::oidc {

/// Every ending but the first is a code of /console/sign-in?problem=CODE (proto-docs/console.md).
enum class sign_in_outcome {
    signed_in,
    canceled,             // by the person, at the provider
    expired,              // begun too long ago, in another browser, or finished before
    provider_unavailable, // or it answers nonsense before anybody has signed in
    provider_rejected,
    response_invalid, // an answer or a token that does not hold what it must
    no_access,        // no verified e-mail address, or not that of an active or invited member
    unavailable,      // PostgreSQL
};
/// By outcome, in the order of the enumeration.
inline constexpr std::array<std::string_view, 8> outcome_names = {
    "signed_in",         "canceled",         "expired",   "provider_unavailable",
    "provider_rejected", "response_invalid", "no_access", "unavailable"};
static_assert(outcome_names.size() == static_cast<std::size_t>(sign_in_outcome::unavailable) + 1);
[[nodiscard]] constexpr std::string_view to_string(sign_in_outcome outcome) noexcept {
    return outcome_names[static_cast<std::size_t>(outcome)];
}

struct callback {
    std::string state; // each is "" where it is not given
    std::string code;
    std::string error;
    std::string issuer;
};
/// Other parameters are ignored (RFC 6749 section 4.1.2). nullopt: one is given twice, or too long.
[[nodiscard]] std::optional<callback> read_callback(std::string_view query);

/// Does it answer the request that this browser has sent?
[[nodiscard]] bool answers(callback const& given, flow const& begun) noexcept;
/// How the sign-in ends without a code to exchange. nullopt: it goes on.
[[nodiscard]] std::optional<sign_in_outcome> ending_of(callback const& given, flow const& begun,
                                                       bool announces_issuer) noexcept;

} // namespace recruiting::auth_api::oidc
