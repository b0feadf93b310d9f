#include "http/origin.hpp"

#include <algorithm>

namespace recruiting::http {

bool is_origin(std::string_view text) noexcept {
    for (std::string_view const scheme : {"https://", "http://"}) {
        if (!text.starts_with(scheme)) continue;
        auto const authority = text.substr(scheme.size());
        return !authority.empty() && std::all_of(authority.begin(), authority.end(), [](char c) {
            bool const alphanumeric = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            return alphanumeric || c == '-' || c == '.' || c == ':' || c == '[' || c == ']';
        });
    }
    return false;
}

} // namespace recruiting::http
