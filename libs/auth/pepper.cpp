#include "auth/pepper.hpp"

#include "core/text.hpp"
#include "crypto/digest.hpp"

#include <bit>

namespace recruiting {

std::int64_t pepper_fingerprint(std::string_view pepper) {
    auto const code = hmac_sha256(pepper, "recruiting pepper fingerprint");
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < sizeof value; ++i) value = value << 8U | code[i];
    return std::bit_cast<std::int64_t>(value);
}

std::vector<std::int64_t> fingerprints_of(pepper_pair const& peppers) {
    std::vector<std::int64_t> out{pepper_fingerprint(peppers.current)};
    if (!peppers.previous.empty()) out.push_back(pepper_fingerprint(peppers.previous));
    return out;
}

std::string show_fingerprint(std::int64_t fingerprint) {
    std::string bytes;
    for (int shift = 56; shift >= 0; shift -= 8)
        bytes += static_cast<char>(std::bit_cast<std::uint64_t>(fingerprint) >> static_cast<unsigned>(shift) & 0xffU);
    return to_hex(bytes);
}

} // namespace recruiting
