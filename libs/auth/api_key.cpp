#include "auth/api_key.hpp"

#include <array>

namespace recruiting {
namespace {

constexpr std::string_view base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
constexpr std::size_t random_size = 34; // 202 bits
constexpr std::size_t checksum_size = 6;
constexpr std::size_t shown_size = 4;

std::string_view prefix_of(environment where) noexcept {
    return where == environment::live ? std::string_view{"sp_live_"} : std::string_view{"sp_test_"};
}

bool is_base62(std::string_view text) noexcept { return text.find_first_not_of(base62) == std::string_view::npos; }

std::array<char, checksum_size> checksum_of(std::string_view random) noexcept {
    auto rest = crc32(random);
    std::array<char, checksum_size> text{};
    for (auto digit = text.rbegin(); digit != text.rend(); ++digit) {
        *digit = base62[rest % base62.size()];
        rest /= static_cast<std::uint32_t>(base62.size());
    }
    return text;
}

// Bytes of 248 and above are thrown away, for 256 is no multiple of 62 and the first letters would come more often.
void append_random_base62(std::string& out, std::size_t size) {
    constexpr auto usable = 256 / base62.size() * base62.size();
    auto const end = out.size() + size;
    while (out.size() < end) {
        for (char const c : random_bytes(end - out.size())) {
            auto const byte = static_cast<unsigned char>(c);
            if (byte < usable) out += base62[byte % base62.size()];
        }
    }
}

bool is_well_formed(std::string_view body) noexcept {
    if (body.size() != random_size + checksum_size || !is_base62(body)) return false;
    auto const expected = checksum_of(body.substr(0, random_size));
    return body.substr(random_size) == std::string_view(expected.data(), expected.size());
}

} // namespace

std::optional<environment> parse_environment(std::string_view text) noexcept {
    if (text == "live") return environment::live;
    if (text == "test") return environment::test;
    return std::nullopt;
}

std::string_view to_string(environment value) noexcept { return value == environment::live ? "live" : "test"; }

generated_key generate_secret(environment where) {
    std::string secret{prefix_of(where)};
    auto const prefix_size = secret.size();
    append_random_base62(secret, random_size);
    auto const checksum = checksum_of(std::string_view(secret).substr(prefix_size));
    secret.append(checksum.data(), checksum.size());
    auto shown = secret.substr(0, prefix_size + shown_size);
    return {std::move(secret), std::move(shown)};
}

secret_shape classify_secret(std::string_view secret, environment here) noexcept {
    for (auto const where : {environment::live, environment::test}) {
        auto const prefix = prefix_of(where);
        if (!secret.starts_with(prefix)) continue;
        if (!is_well_formed(secret.substr(prefix.size()))) return secret_shape::malformed;
        return where == here ? secret_shape::well_formed : secret_shape::wrong_environment;
    }
    return secret_shape::malformed;
}

digest hash_secret(std::string_view pepper, std::string_view secret) { return hmac_sha256(pepper, secret); }

} // namespace recruiting
