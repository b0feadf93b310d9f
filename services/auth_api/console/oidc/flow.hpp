// One sign-in by OpenID Connect as the browser carries it to the provider and back: what its cookie holds, sealed, the
// request that goes to the provider (OpenID Connect Core 1.0 section 3.1.2.1, RFC 7636), what comes back (sections
// 3.1.2.5 and 3.1.2.6, RFC 9207), and how a sign-in can end. Pure but for the random numbers.
#pragma once
#include "auth/pepper.hpp"
#include "auth_api/console_settings.hpp"
#include "core/time.hpp"
#include "crypto/digest.hpp"

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace recruiting::auth_api::oidc {

/// From /start to /callback. The database remembers used states for longer (admit_identified).
inline constexpr std::chrono::minutes flow_lifetime{10};

struct flow {
    std::string issuer; // and the client: a sign-in that another configuration has begun is not finished by this one
    std::string client_id;
    std::string state;
    std::string nonce;
    std::string verifier; // PKCE
    timestamp started;
    std::string return_to;
};

[[nodiscard]] flow begin_flow(oidc_settings const& config, std::string return_to, timestamp now);

/// Under https the browser lets no other host and no path set the second (RFC 6265bis section 4.1.3.2).
[[nodiscard]] constexpr std::string_view flow_cookie_name(bool is_secure) noexcept {
    return is_secure ? "__Host-sp_oidc" : "sp_oidc";
}
/// The values of Set-Cookie.
[[nodiscard]] std::string set_flow_cookie(flow const& begun, std::string_view pepper, bool is_secure);
[[nodiscard]] std::string clear_flow_cookie(bool is_secure);
/// nullopt: not one of ours, not of this configuration, or begun too long ago.
[[nodiscard]] std::optional<flow> open_flow(std::string_view sealed, pepper_pair const& peppers,
                                            oidc_settings const& config, timestamp now);

/// What the database keeps of a sign-in, so that none is finished twice.
[[nodiscard]] digest hash_flow(std::string_view pepper, flow const& begun);

/// "https://jobs.example.com/console/api/oidc/callback"
[[nodiscard]] std::string redirect_uri(std::string_view public_url);
/// Where the browser goes at the provider.
[[nodiscard]] std::string authorization_url(std::string_view endpoint, oidc_settings const& config, flow const& begun,
                                            std::string_view public_url);

/// May the browser be sent there afterwards? A path of the console's pages, with or without a query.
[[nodiscard]] bool is_return_path(std::string_view path);

/// Every ending but the first is a code of /console/sign-in?problem=CODE (proto-docs/openid_connect.md).
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
