// The e-mailed link's token: who holds it reaches that one booking, and nothing else asks who it is. Pure.
#pragma once
#include "crypto/digest.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace recruiting::public_api {

/// SHA-256 of the token's text: all that the database and the limits know of it. nullopt: this can't be a token.
[[nodiscard]] std::optional<digest> link_hash(std::string_view token);

/// Where the interview is joined: with the token that only joins, for this link is passed on. Only for links that have
/// one: those of mails sent before there were such tokens do not.
[[nodiscard]] std::string join_address(std::string_view public_url, std::string_view token);

} // namespace recruiting::public_api
