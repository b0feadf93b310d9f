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

/// Why a token is refused, in one word for the log.
struct token_fault {
    std::string_view why;
    bool key_is_unknown{false}; // newer keys may have it
};

struct person_claims {
    std::string subject;
    std::string email;                  // "": not claimed
    std::optional<bool> email_verified; // nullopt: the provider does not say
};

/// What an ID Token is held against.
struct token_context {
    flow const& begun;
    std::string_view access_token; // what came with the ID Token; "": none
    timestamp now;
    bool trusts_email{false}; // as in the settings
};

[[nodiscard]] std::variant<token_fault, person_claims> read_id_token(std::string_view token, jose::key_set const& keys,
                                                                     token_context const& context);

/// The claims of UserInfo (section 5.3.2) about the same person. nullopt: not JSON, or about another. An address that
/// the ID Token calls unverified stays so.
[[nodiscard]] std::optional<person_claims> read_userinfo(std::string_view body, person_claims const& known,
                                                         bool trusts_email);

/// Whether the address stands for the person.
[[nodiscard]] bool may_sign_in(person_claims const& person, bool trusts_email) noexcept;

} // namespace recruiting::auth_api::oidc
