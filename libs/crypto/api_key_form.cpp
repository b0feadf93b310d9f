#include "crypto/api_key_form.hpp"

#include "crypto/digest.hpp"

namespace recruiting {

std::array<char, key_checksum_size> key_checksum(std::string_view random) noexcept {
    auto rest = crc32(random);
    std::array<char, key_checksum_size> text{};
    for (auto digit = text.rbegin(); digit != text.rend(); ++digit) {
        *digit = base62[rest % base62.size()];
        rest /= static_cast<std::uint32_t>(base62.size());
    }
    return text;
}

bool has_key_form(std::string_view text) noexcept {
    if (text.size() != key_size) return false;
    if (!text.starts_with(live_key_prefix) && !text.starts_with(test_key_prefix)) return false;
    auto const secret = text.substr(key_prefix_size);
    if (secret.find_first_not_of(base62) != std::string_view::npos) return false;
    auto const expected = key_checksum(secret.substr(0, key_random_size));
    return secret.substr(key_random_size) == std::string_view(expected.data(), expected.size());
}

} // namespace recruiting
