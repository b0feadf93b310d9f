// The sessions of the console: the cookie, what is stored of it, and the tokens that are made of it and of sign-in
// links. Pure but for the random numbers.
#pragma once
#include "core/error.hpp"
#include "crypto/digest.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace recruiting::auth {

/// A browser takes __Host- cookies over https only, and from this host alone (RFC 6265bis section 4.1.3.2).
inline constexpr std::string_view plain_session_cookie = "sp_session";
inline constexpr std::string_view host_session_cookie = "__Host-sp_session";

/// is_secure: the public URL is https.
[[nodiscard]] constexpr std::string_view session_cookie_name(bool is_secure) noexcept {
    return is_secure ? host_session_cookie : plain_session_cookie;
}

/// The value of the one cookie of this name; nullopt: there is none, or there are several, of which another host may
/// have planted one. cookies: every Cookie field, joined by "; ".
[[nodiscard]] std::optional<std::string_view> find_cookie(std::string_view cookies, std::string_view name) noexcept;

/// Is there a session's cookie of either name?
[[nodiscard]] bool has_session_cookie(std::string_view cookies) noexcept;
/// The session's secret; missing_credential without the cookie, invalid_credential where it holds no secret or is there
/// twice. cookies: every Cookie field, joined by "; ".
[[nodiscard]] result<std::string_view> read_session_cookie(std::string_view cookies, bool is_secure);

/// The value of Set-Cookie; it lives as long as the browser, and the session as long as the database says.
[[nodiscard]] std::string set_session_cookie(std::string_view secret, bool is_secure);
[[nodiscard]] std::string clear_session_cookie(bool is_secure);

/// 32 random bytes in base64url: a session's secret, or a sign-in link's token.
[[nodiscard]] std::string new_session_secret();
[[nodiscard]] bool has_session_secret_form(std::string_view text) noexcept;

/// What is stored of a session's secret: HMAC-SHA-256 under the installation's pepper.
[[nodiscard]] digest hash_session(std::string_view pepper, std::string_view secret);
/// What is stored of a sign-in link's token.
[[nodiscard]] digest hash_sign_in_token(std::string_view token);
/// What X-CSRF-Token must hold in a session's requests. It can't be computed without the cookie, nor the cookie from
/// it.
[[nodiscard]] std::string csrf_token(std::string_view secret);

} // namespace recruiting::auth
