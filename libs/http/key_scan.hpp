// Finds what is shaped like an API key's secret in parts of a request, where none may be (specification: Public API,
// rule 3): sp_live_ or sp_test_ and 40 letters and digits. The checksum is not looked at: a mistyped key exposes nearly
// as much. Pure. Keep what it finds out of every log.
#pragma once
#include <string>
#include <string_view>

namespace recruiting::http {

/// The first in text as it stands; empty: none.
[[nodiscard]] std::string_view find_key(std::string_view text) noexcept;

/// The first in text, percent-encoded or not.
[[nodiscard]] std::string find_encoded_key(std::string_view text);

/// The first in a field's value: also percent-encoded, as cookies are, and within Basic credentials (RFC 7617).
[[nodiscard]] std::string find_key_in_field(std::string_view value);

/// What Basic credentials hold, "user:password"; empty: these are none.
[[nodiscard]] std::string basic_credentials(std::string_view value);

} // namespace recruiting::http
