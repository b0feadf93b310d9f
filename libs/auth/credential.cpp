#include "auth/credential.hpp"

#include "core/text.hpp"

namespace recruiting::auth {
namespace {

constexpr std::string_view session_cookie = "sp_session";

api_error multiple_credentials(std::string_view location, std::string_view field) {
    auto error = make_error(error_code::invalid_request);
    error.message = "Send exactly one credential.";
    error.details.push_back({std::string(location), std::string(field), "multiple_credentials",
                             "A request carries either an API key or a session, never both and never two."});
    return error;
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
    auto const value = trim(presented.authorization);
    auto const space = value.find(' ');
    if (!iequals(value.substr(0, space), "Bearer")) return make_error(error_code::invalid_credential);
    if (has_cookie(presented.cookies, session_cookie)) return multiple_credentials("header", "Cookie");
    auto const secret = space == std::string_view::npos ? std::string_view() : trim(value.substr(space + 1));
    switch (classify_secret(secret, here)) {
    case secret_shape::well_formed: return secret;
    case secret_shape::wrong_environment: return make_error(error_code::wrong_environment);
    case secret_shape::malformed: return make_error(error_code::invalid_credential);
    }
    return make_error(error_code::invalid_credential);
}

} // namespace recruiting::auth
