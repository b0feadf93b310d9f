#include "crypto/api_key_form.hpp"

#include "core/text.hpp"
#include "crypto/digest.hpp"

#include <algorithm>

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
    if (!std::ranges::all_of(secret, is_alphanumeric)) return false;
    auto const expected = key_checksum(secret.substr(0, key_random_size));
    return secret.substr(key_random_size) == std::string_view(expected.data(), expected.size());
}

namespace {

constexpr std::size_t longest_location = 100;

// The character at `at`, decoded where it is percent-encoded; at moves behind it.
char take_character(std::string_view text, std::size_t& at) noexcept {
    char const c = text[at++];
    if (c != '%' || text.size() - at < 2) return c;
    int const high = hex_value(text[at]);
    int const low = hex_value(text[at + 1]);
    if (high < 0 || low < 0) return c;
    at += 2;
    return static_cast<char>(high * 16 + low);
}

// Does a key begin at `at`? Most texts differ within the first three characters.
bool read_key(std::string_view text, std::size_t at, std::array<char, key_size>& key) noexcept {
    constexpr std::string_view begins = "sp_";
    for (std::size_t i = 0; i < key.size(); ++i) {
        if (at >= text.size()) return false;
        key[i] = take_character(text, at);
        if (i < begins.size() && key[i] != begins[i]) return false;
    }
    return has_key_form({key.data(), key.size()});
}

// What Basic credentials hold, "user:password"; empty: these are none.
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

std::optional<exposed_key> found_at(std::string_view secret, std::string_view location) {
    if (secret.empty()) return std::nullopt;
    return exposed_key{std::string(displayed_prefix(secret)), std::string(location.substr(0, longest_location))};
}

} // namespace

// Most texts hold neither sp_ nor %, which the library's searches see quickly.
std::string find_key(std::string_view text) {
    std::array<char, key_size> key{};
    for (auto at = text.find("sp_"); at != std::string_view::npos; at = text.find("sp_", at + 1))
        if (read_key(text, at, key)) return {key.data(), key.size()};
    if (text.find('%') == std::string_view::npos) return {};
    for (auto at = text.find_first_of("s%"); at != std::string_view::npos; at = text.find_first_of("s%", at + 1))
        if (read_key(text, at, key)) return {key.data(), key.size()};
    return {};
}

std::optional<exposed_key> find_key_in_field(std::string_view name, std::string_view value) {
    if (auto found = found_at(find_key(name), "header")) return found;
    if (auto found = found_at(find_key(value), name)) return found;
    return found_at(find_key(basic_credentials(value)), name);
}

std::optional<exposed_key> find_key_in_target(std::string_view target) {
    auto const question = std::min(target.find('?'), target.size());
    if (auto found = found_at(find_key(target.substr(0, question)), "path")) return found;
    return found_at(find_key(target.substr(question)), "query");
}

std::optional<exposed_key> find_key_in_body(std::string_view body) { return found_at(find_key(body), "body"); }

} // namespace recruiting
