#include "public_api/organizations/slug.hpp"

namespace recruiting::public_api {

bool is_slug(std::string_view text) noexcept {
    if (text.empty() || text.size() > 63) return false;
    bool hyphen_allowed = false;
    for (char const c : text) {
        bool const word = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        if (!word && (c != '-' || !hyphen_allowed)) return false;
        hyphen_allowed = word;
    }
    return hyphen_allowed;
}

} // namespace recruiting::public_api
