#include "auth/credential.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <optional>

namespace recruiting::auth {
namespace {

constexpr std::string_view session_cookie = "sp_session";
constexpr std::size_t most_secrets = 4;

api_error multiple_credentials(std::string_view location, std::string_view field) {
    auto error = make_error(error_code::invalid_request);
    error.message = "Send exactly one credential.";
    error.details.push_back({std::string(location), std::string(field), "multiple_credentials",
                             "A request carries either an API key or a session, never both and never two."});
    return error;
}

// Never quotes the field: it may hold a secret.
api_error not_a_bearer_token() {
    auto error = make_error(error_code::invalid_credential);
    error.message = "Send the API key as a bearer token: Authorization: Bearer <API_KEY>.";
    error.details.push_back({"header", "Authorization", "not_a_bearer_token",
                             "Send `Authorization: Bearer <API_KEY>`: the scheme Bearer, a space, and the secret that "
                             "begins with sp_live_ or sp_test_."});
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

bool has_cookie(std::string_view cookies, std::string_view name) noexcept {
    while (!cookies.empty()) {
        auto const end = cookies.find(';');
        auto const pair = trim(cookies.substr(0, end));
        if (trim(pair.substr(0, pair.find('='))) == name) return true;
        cookies.remove_prefix(end == std::string_view::npos ? cookies.size() : end + 1);
    }
    return false;
}

result<std::string_view> read_credential(presented_credential const& presented, environment here) {
    if (presented.authorization_count > 1) return multiple_credentials("header", "Authorization");
    if (presented.authorization_count == 0) return make_error(error_code::missing_credential);
    auto const token = bearer_token(presented.authorization);
    if (!token) return not_a_bearer_token();
    if (has_cookie(presented.cookies, session_cookie)) return multiple_credentials("header", "Cookie");
    switch (classify_secret(*token, here)) {
    case secret_shape::well_formed: return *token;
    case secret_shape::wrong_environment: return make_error(error_code::wrong_environment);
    case secret_shape::malformed: return make_error(error_code::invalid_credential);
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
