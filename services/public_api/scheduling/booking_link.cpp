#include "public_api/scheduling/booking_link.hpp"

#include "core/text.hpp"

namespace recruiting::public_api {

std::optional<digest> link_hash(std::string_view token) {
    constexpr std::size_t token_size = 43; // 32 random bytes in base64url
    if (token.size() != token_size || !from_base64url(token)) return std::nullopt;
    return sha256(token);
}

} // namespace recruiting::public_api
