#include "auth/api_key.hpp"

#include "crypto/api_key_form.hpp"

namespace recruiting {
namespace {

constexpr std::size_t shown_size = 4;

std::string_view prefix_of(environment where) noexcept {
    return where == environment::live ? live_key_prefix : test_key_prefix;
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

} // namespace

std::optional<environment> parse_environment(std::string_view text) noexcept {
    if (text == "live") return environment::live;
    if (text == "test") return environment::test;
    return std::nullopt;
}

std::string_view to_string(environment value) noexcept { return value == environment::live ? "live" : "test"; }

generated_key generate_secret(environment where) {
    std::string secret{prefix_of(where)};
    append_random_base62(secret, key_random_size);
    auto const checksum = key_checksum(std::string_view(secret).substr(key_prefix_size));
    secret.append(checksum.data(), checksum.size());
    auto shown = secret.substr(0, key_prefix_size + shown_size);
    return {std::move(secret), std::move(shown)};
}

secret_shape classify_secret(std::string_view secret, environment here) noexcept {
    if (!has_key_form(secret)) return secret_shape::malformed;
    return secret.starts_with(prefix_of(here)) ? secret_shape::well_formed : secret_shape::wrong_environment;
}

digest hash_secret(std::string_view pepper, std::string_view secret) { return hmac_sha256(pepper, secret); }

box_keys exposure_keys(std::string_view pepper) {
    return derive_box_keys(hmac_sha256(pepper, "recruiting exposed credentials"));
}

} // namespace recruiting
