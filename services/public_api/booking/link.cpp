#include "public_api/booking/link.hpp"

#include "core/text.hpp"
#include "crypto/digest.hpp"

namespace recruiting::public_api {

std::optional<digest> link_hash(std::string_view token) {
    constexpr std::size_t token_size = 43; // 32 random bytes in base64url
    if (token.size() != token_size || !from_base64url(token)) return std::nullopt;
    return sha256(token);
}

std::string join_address(std::string_view public_url, std::string_view token) {
    return std::string(public_url) + "/interviews/" + join_token_of(token) + "/join";
}

} // namespace recruiting::public_api
