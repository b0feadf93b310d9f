// The secrets of API keys: made, classified and hashed. crypto/api_key_form.hpp has their form.
// Pure but for the random numbers of generate_secret.
#pragma once
#include "crypto/digest.hpp"
#include "crypto/sealed_box.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace recruiting {

/// Configuration of the deployment: live is production, test is everywhere else.
enum class environment { live, test };

[[nodiscard]] std::optional<environment> parse_environment(std::string_view text) noexcept;
[[nodiscard]] std::string_view to_string(environment value) noexcept;

struct generated_key {
    std::string secret;           // shown once, never stored
    std::string displayed_prefix; // sp_live_ or sp_test_ and the first 4 characters after it
};

[[nodiscard]] generated_key generate_secret(environment where);

enum class secret_shape { well_formed, wrong_environment, malformed };

/// What a bearer token looks like, seen from the environment `here`. A key ID is malformed.
[[nodiscard]] secret_shape classify_secret(std::string_view secret, environment here) noexcept;

/// What is stored and looked up: HMAC-SHA-256 of the whole secret under the deployment's pepper.
[[nodiscard]] digest hash_secret(std::string_view pepper, std::string_view secret);

/// The keys under which public-api seals reports of exposed API keys, and auth-api opens them: derived from the pepper,
/// so that they are the same in every instance that has it.
[[nodiscard]] box_keys exposure_keys(std::string_view pepper);

} // namespace recruiting
