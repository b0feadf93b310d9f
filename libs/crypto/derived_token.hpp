// A lesser secret made of a greater one: whoever holds the greater one can make it, nobody can go back. Pure.
#pragma once
#include <string>
#include <string_view>

namespace recruiting {

/// The token that only joins the interview, of the token that manages it: 32 bytes in base64url.
[[nodiscard]] std::string join_token_of(std::string_view manage_token);

} // namespace recruiting
