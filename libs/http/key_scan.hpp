// Finds API keys in the parts of a request to the public API, where none may be (proto-docs/keys.md).
// Text is a key by its form: prefix, 40 characters, right checksum. Other credentials and text that merely contains
// sp_test_ are none. Pure; it allocates nothing where no key is. Keep what it finds out of every log.
#pragma once
#include "core/error.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace recruiting::http {

/// The first key in text, percent-encoded or not; empty: none.
[[nodiscard]] std::string find_key(std::string_view text);

struct exposed_key {
    std::string secret; // for the report alone: never answered, never logged
    std::string place;  // a field's name, "header" for a name that is the key, "path", "query" or "body"
};

/// A field's name or value, also within Basic credentials (RFC 7617).
[[nodiscard]] std::optional<exposed_key> find_key_in_field(std::string_view name, std::string_view value);
/// A request target: its path, then its query.
[[nodiscard]] std::optional<exposed_key> find_key_in_target(std::string_view target);

/// credential_not_allowed. It names the place and never the value, and is the same for every key.
[[nodiscard]] api_error key_not_allowed(std::string_view place);

} // namespace recruiting::http
