#include "crypto/derived_token.hpp"

#include "core/text.hpp"
#include "crypto/digest.hpp"

namespace recruiting {

std::string join_token_of(std::string_view manage_token) {
    return to_base64url(bytes_of(hmac_sha256(manage_token, "join")));
}

} // namespace recruiting
