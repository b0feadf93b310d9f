#include "http/key_scan.hpp"

#include "core/text.hpp"

#include <algorithm>

namespace recruiting::http {
namespace {

constexpr std::size_t prefix_size = 8;
constexpr std::size_t secret_size = 40; // after the prefix (specification: API key)

bool is_alphanumeric(char c) noexcept {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool begins_with_key(std::string_view text) noexcept {
    if (text.size() < prefix_size + secret_size) return false;
    if (!text.starts_with("sp_live_") && !text.starts_with("sp_test_")) return false;
    auto const secret = text.substr(prefix_size, secret_size);
    return std::all_of(secret.begin(), secret.end(), is_alphanumeric);
}

} // namespace

std::string_view find_key(std::string_view text) noexcept {
    for (auto at = text.find("sp_"); at != std::string_view::npos; at = text.find("sp_", at + 1))
        if (begins_with_key(text.substr(at))) return text.substr(at, prefix_size + secret_size);
    return {};
}

std::string find_encoded_key(std::string_view text) {
    auto const plain = find_key(text);
    if (!plain.empty() || text.find('%') == std::string_view::npos) return std::string(plain);
    auto const decoded = percent_decode(text);
    return decoded ? std::string(find_key(*decoded)) : std::string();
}

std::string find_key_in_field(std::string_view value) {
    auto found = find_encoded_key(value);
    if (!found.empty()) return found;
    return std::string(find_key(basic_credentials(value)));
}

std::string basic_credentials(std::string_view value) {
    constexpr std::string_view scheme = "basic";
    if (value.size() <= scheme.size() || !iequals(value.substr(0, scheme.size()), scheme)) return {};
    auto const rest = value.substr(scheme.size());
    if (rest.front() != ' ' && rest.front() != '\t') return {};
    std::string text(trim(rest));
    std::replace(text.begin(), text.end(), '+', '-'); // of base64 to base64url
    std::replace(text.begin(), text.end(), '/', '_');
    text.resize(text.find_last_not_of('=') + 1);
    return from_base64url(text).value_or(std::string());
}

} // namespace recruiting::http
