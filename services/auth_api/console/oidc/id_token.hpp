// An ID Token and what it must say (OpenID Connect Core 1.0 section 3.1.3.7), and the claims about a person. Pure.
#pragma once
#include "auth_api/console/oidc/flow.hpp"
#include "core/time.hpp"
#include "jose/jws.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace recruiting::auth_api::oidc {

enum class token_fault {
    malformed,
    algorithm,
    unknown_key, // newer keys may have it
    signature,
    issuer,
    audience, // another client's, or for others besides
    time,     // expired, not valid yet, or issued before the sign-in began
    nonce,
    access_token, // not the one that the token was issued with (at_hash)
    subject,
};
[[nodiscard]] std::string_view to_string(token_fault why) noexcept;

struct person_claims {
    std::string subject;
    std::string email; // "": not claimed
    bool email_verified{false};
};

/// What an ID Token is held against.
struct token_context {
    flow const& begun;
    std::string_view access_token; // what came with the ID Token; "": none
    timestamp now;
};

[[nodiscard]] std::variant<token_fault, person_claims> read_id_token(std::string_view token, jose::key_set const& keys,
                                                                     token_context const& context);

/// The claims of UserInfo (section 5.3.2) about the same person. nullopt: not JSON, or about another.
[[nodiscard]] std::optional<person_claims> read_userinfo(std::string_view body, std::string_view subject);

} // namespace recruiting::auth_api::oidc
