// What a request brought as its credential, before any look-up: pure, from the header fields alone
// (proto-docs/keys.md).
#pragma once
#include "auth/api_key.hpp"
#include "core/error.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::auth {

struct presented_credential {
    std::string_view authorization; // the Authorization field, "" when absent
    int authorization_count{0};
    std::string_view cookies; // every Cookie field, joined by "; "
};

/// The API key's secret, well-formed and of this environment; or missing_credential, invalid_credential,
/// wrong_environment, or invalid_request (more than one credential: no precedence is applied).
[[nodiscard]] result<std::string_view> read_credential(presented_credential const& presented, environment here);

/// Every well-formed secret sent as a bearer token in these Authorization fields, each once, of any environment. For
/// the audit log of a request that was refused before its key was looked at; nothing is ever allowed because of them.
/// The first few only: each costs a look-up.
[[nodiscard]] std::vector<std::string_view> find_secrets(std::span<std::string_view const> authorizations);

/// Is there a cookie of that name? (RFC 6265 section 4.2.1)
[[nodiscard]] bool has_cookie(std::string_view cookies, std::string_view name) noexcept;

} // namespace recruiting::auth
