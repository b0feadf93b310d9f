// The secrets of API keys: made, classified and hashed (crypto/api_key_form.hpp has their form), and read from the
// header fields of a request (proto-docs/keys.md). Pure but for the random numbers of generate_secret.
#pragma once
#include "core/error.hpp"
#include "crypto/digest.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting {

/// Configuration of the installation: live is production, test is everywhere else.
enum class environment { live, test };

[[nodiscard]] std::optional<environment> parse_environment(std::string_view text) noexcept;
[[nodiscard]] std::string_view to_string(environment value) noexcept;

/// A new secret: shown once, never stored.
[[nodiscard]] std::string generate_secret(environment where);

enum class secret_shape { well_formed, wrong_environment, malformed };

/// What a bearer token looks like, seen from the environment `here`. A key ID is malformed.
[[nodiscard]] secret_shape classify_secret(std::string_view secret, environment here) noexcept;

/// What is stored and looked up: HMAC-SHA-256 of the whole secret under the installation's pepper.
[[nodiscard]] digest hash_secret(std::string_view pepper, std::string_view secret);

} // namespace recruiting

namespace recruiting::auth {

/// What a request brings as its credential, before any look-up.
struct presented_credential {
    std::string_view authorization; // the Authorization field, "" when absent
    int authorization_count{0};
    std::string_view cookies; // every Cookie field, joined by "; "
};

/// The API key's secret, well-formed and of this environment; or missing_credential, invalid_credential,
/// wrong_environment, or invalid_request (more than one credential: no precedence is applied).
[[nodiscard]] result<std::string_view> read_credential(presented_credential const& presented, environment here);

/// A request that carries two credentials; field: the header field to leave out.
[[nodiscard]] api_error multiple_credentials(std::string_view field);

/// Every well-formed secret sent as a bearer token in these Authorization fields, each once, of any environment. For
/// the audit log of a request that was refused before its key was looked up; nothing is ever allowed because of them.
/// The first few only: each costs a look-up.
[[nodiscard]] std::vector<std::string_view> find_secrets(std::span<std::string_view const> authorizations);

} // namespace recruiting::auth
