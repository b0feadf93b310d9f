#include "auth/exposure_keys.hpp"

namespace recruiting {

box_keys exposure_keys(std::string_view pepper) {
    return derive_box_keys(hmac_sha256(pepper, "recruiting exposed credentials"));
}

} // namespace recruiting
