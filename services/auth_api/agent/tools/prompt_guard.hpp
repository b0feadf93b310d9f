// What a changing tool may touch: only what the caller's own prompt of this run names, and only if that prompt asks for
// such a change at all. Records that a model has read (a CV, a job's description) can't add to either. Pure.
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace recruiting::auth_api::agent {

/// Does the prompt hold the key's exact name, standing alone? A name that a request could hold by accident (one letter,
/// only punctuation, "key") counts only in quotation marks. An occurrence inside the name of another key that is
/// longer (others) is that key's.
[[nodiscard]] bool names_key(std::string_view prompt, std::string_view name, std::span<std::string const> others);

/// Does the prompt, without the key's name, speak of revoking something? A word of any of a dozen languages is enough:
/// a second line of defence behind names_key.
[[nodiscard]] bool asks_to_revoke(std::string_view prompt, std::string_view name);

} // namespace recruiting::auth_api::agent
