#include "auth/api_key.hpp"

#include "auth/session.hpp"
#include "core/ids.hpp"
#include "core/text.hpp"
#include "crypto/api_key_form.hpp"

#include <algorithm>
#include <optional>

namespace recruiting {
namespace {

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

std::string generate_secret(environment where) {
    std::string secret{prefix_of(where)};
    append_random_base62(secret, key_random_size);
    auto const checksum = key_checksum(std::string_view(secret).substr(key_prefix_size));
    secret.append(checksum.data(), checksum.size());
    return secret;
}

secret_shape classify_secret(std::string_view secret, environment here) noexcept {
    if (!has_key_form(secret)) return secret_shape::malformed;
    return secret.starts_with(prefix_of(here)) ? secret_shape::well_formed : secret_shape::wrong_environment;
}

digest hash_secret(std::string_view pepper, std::string_view secret) { return hmac_sha256(pepper, secret); }

} // namespace recruiting

namespace recruiting::auth {
namespace {

constexpr std::size_t most_secrets = 4;

// Never quotes the field: it may hold a secret.
api_error not_a_bearer_token() {
    auto error = make_error(error_code::invalid_credential);
    error.message = "Send the API key as a bearer token: Authorization: Bearer <API_KEY>.";
    error.details.push_back({"header", "Authorization", "not_a_bearer_token",
                             "Send `Authorization: Bearer <API_KEY>`: the scheme Bearer, a space, and the secret that "
                             "begins with sp_live_ or sp_test_."});
    return error;
}

// It is no secret, so it is named: a key's owner sees it in lists and in the audit log, where it is easily mistaken for
// one.
api_error key_id_as_token() {
    auto error = make_error(error_code::invalid_credential);
    error.message = "This is the ID of an API key. Send the key's secret, which begins with sp_live_ or sp_test_.";
    error.details.push_back({"header", "Authorization", "key_id",
                             "A key ID can't authenticate. The secret was shown once, when the key was created."});
    return error;
}

// What follows the scheme Bearer (RFC 6750 section 2.1); nullopt: it is another scheme, or none.
std::optional<std::string_view> bearer_token(std::string_view authorization) {
    auto const value = trim(authorization);
    auto const space = value.find(' ');
    if (!iequals(value.substr(0, space), "Bearer")) return std::nullopt;
    return space == std::string_view::npos ? std::string_view() : trim(value.substr(space + 1));
}

} // namespace

api_error multiple_credentials(std::string_view field) {
    auto error = make_error(error_code::invalid_request);
    error.message = "Send exactly one credential.";
    error.details.push_back({"header", std::string(field), "multiple_credentials",
                             "A request carries either an API key or a session, never both and never two."});
    return error;
}

result<std::string_view> read_credential(presented_credential const& presented, environment here) {
    if (presented.authorization_count > 1) return multiple_credentials("Authorization");
    if (presented.authorization_count == 0) return make_error(error_code::missing_credential);
    auto const token = bearer_token(presented.authorization);
    if (!token) return not_a_bearer_token();
    if (has_session_cookie(presented.cookies)) return multiple_credentials("Cookie");
    switch (classify_secret(*token, here)) {
    case secret_shape::well_formed: return *token;
    case secret_shape::wrong_environment: return make_error(error_code::wrong_environment);
    case secret_shape::malformed:
        return parse_id(*token) ? key_id_as_token() : make_error(error_code::invalid_credential);
    }
    return make_error(error_code::invalid_credential);
}

std::vector<std::string_view> find_secrets(std::span<std::string_view const> authorizations) {
    std::vector<std::string_view> found;
    for (auto const value : authorizations) {
        auto const token = bearer_token(value).value_or("");
        bool const is_secret = classify_secret(token, environment::live) != secret_shape::malformed;
        if (is_secret && std::ranges::find(found, token) == found.end()) found.push_back(token);
        if (found.size() == most_secrets) break;
    }
    return found;
}

} // namespace recruiting::auth
