#include "auth/session.hpp"

#include "core/text.hpp"

#include <algorithm>

namespace recruiting::auth {
namespace {

constexpr std::size_t session_secret_bytes = 32;
constexpr std::size_t session_secret_size = 43; // in base64url

// Takes the first cookie off the list (RFC 6265 section 4.2.1).
struct cookie_pair {
    std::string_view name;
    std::string_view value;
};
cookie_pair take_cookie(std::string_view& cookies) noexcept {
    auto const end = cookies.find(';');
    auto const pair = trim(cookies.substr(0, end));
    cookies.remove_prefix(end == std::string_view::npos ? cookies.size() : end + 1);
    auto const equals = pair.find('=');
    auto const value = equals == std::string_view::npos ? std::string_view() : trim(pair.substr(equals + 1));
    return {trim(pair.substr(0, equals)), value};
}

std::string cookie_of(std::string_view value, bool is_secure) {
    std::string out(session_cookie_name(is_secure));
    out.append("=").append(value).append("; Path=/; HttpOnly; SameSite=Lax");
    if (is_secure) out.append("; Secure");
    return out;
}

} // namespace

std::optional<std::string_view> find_cookie(std::string_view cookies, std::string_view name) noexcept {
    std::optional<std::string_view> found;
    while (!cookies.empty()) {
        auto const pair = take_cookie(cookies);
        if (pair.name != name) continue;
        if (found) return std::nullopt;
        found = pair.value;
    }
    return found;
}

bool has_session_cookie(std::string_view cookies) noexcept {
    while (!cookies.empty()) {
        auto const [name, value] = take_cookie(cookies);
        if (name == plain_session_cookie || name == host_session_cookie) return true;
    }
    return false;
}

// Two of one name: one of them may be planted by another host, and nobody can say which.
result<std::string_view> read_session_cookie(std::string_view cookies, bool is_secure) {
    auto const wanted = session_cookie_name(is_secure);
    std::optional<std::string_view> found;
    while (!cookies.empty()) {
        auto const [name, value] = take_cookie(cookies);
        if (name != wanted) continue;
        if (found) return make_error(error_code::invalid_credential);
        found = value;
    }
    if (!found) {
        auto error = make_error(error_code::missing_credential);
        error.message = "Sign in: the request has no session.";
        return error;
    }
    if (!has_session_secret_form(*found)) return make_error(error_code::invalid_credential);
    return *found;
}

std::string set_session_cookie(std::string_view secret, bool is_secure) { return cookie_of(secret, is_secure); }

std::string clear_session_cookie(bool is_secure) { return cookie_of("", is_secure) + "; Max-Age=0"; }

std::string new_session_secret() { return to_base64url(random_bytes(session_secret_bytes)); }

bool has_session_secret_form(std::string_view text) noexcept {
    return text.size() == session_secret_size &&
           std::ranges::all_of(text, [](char c) { return is_alphanumeric(c) || c == '-' || c == '_'; });
}

digest hash_session(std::string_view pepper, std::string_view secret) {
    return hmac_sha256(pepper, "recruiting console session " + std::string(secret));
}

digest hash_sign_in_token(std::string_view token) { return sha256("recruiting sign-in link " + std::string(token)); }

std::string csrf_token(std::string_view secret) {
    return to_base64url(bytes_of(hmac_sha256(secret, "recruiting console csrf")));
}

} // namespace recruiting::auth
