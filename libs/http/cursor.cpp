#include "http/cursor.hpp"

#include "core/text.hpp"
#include "crypto/digest.hpp"

namespace recruiting::http {
namespace {

constexpr std::size_t mac_size = 16; // HMAC-SHA-256 truncated to 128 bits (RFC 2104 section 5)

} // namespace

std::string token_signer::sign(std::vector<std::string> const& parts) const {
    std::string payload;
    for (auto const& part : parts) payload += std::to_string(part.size()) + ':' + part;
    auto const mac = hmac_sha256(secret_, payload);
    return to_base64url(std::string(bytes_of(mac).substr(0, mac_size)) + payload);
}

std::optional<std::vector<std::string>> token_signer::verify(std::string_view token) const {
    auto const bytes = from_base64url(token);
    if (!bytes || bytes->size() < mac_size) return std::nullopt;
    std::string_view payload(*bytes);
    auto const given = payload.substr(0, mac_size);
    payload.remove_prefix(mac_size);
    auto const mac = hmac_sha256(secret_, payload);
    if (!equal_constant_time(given, bytes_of(mac).substr(0, mac_size))) return std::nullopt;
    std::vector<std::string> parts;
    while (!payload.empty()) {
        auto const colon = payload.find(':');
        auto const size = parse_number<std::size_t>(payload.substr(0, colon));
        if (colon == std::string_view::npos || !size || payload.size() - colon - 1 < *size) return std::nullopt;
        parts.emplace_back(payload.substr(colon + 1, *size));
        payload.remove_prefix(colon + 1 + *size);
    }
    return parts;
}

} // namespace recruiting::http
