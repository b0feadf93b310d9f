// The pepper under which an installation hashes API keys and sessions (proto-docs/secrets.md): the one for new hashes,
// and while it is rotated another one whose hashes are accepted as well. Pure.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting {

struct pepper_pair {
    std::string current;
    std::string previous; // empty: none
};

/// Names a pepper: eight bytes of HMAC-SHA-256 under it, which reveal nothing of 32 random bytes.
[[nodiscard]] std::int64_t pepper_fingerprint(std::string_view pepper);
/// Of the current one and, if there is one, of the previous one.
[[nodiscard]] std::vector<std::int64_t> fingerprints_of(pepper_pair const& peppers);
/// 16 hexadecimal digits, for people to compare.
[[nodiscard]] std::string show_fingerprint(std::int64_t fingerprint);

} // namespace recruiting
