// What a changing tool may touch: only what the caller's own prompt of this run names, and only if that prompt asks for
// such a change at all. Records that a model has read (a CV, a job's description) can't add to either. Pure.
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace recruiting::auth_api::agent {

/// Does the prompt hold the key's exact name, standing alone? A name that a request could hold by accident (one letter,
/// only punctuation, "key") counts only in quotation marks. An occurrence inside the name of another key that is
/// longer (others) is that key's, in any case.
[[nodiscard]] bool names_key(std::string_view prompt, std::string_view name, std::span<std::string const> others);

/// Does the prompt name the key in a plain command to revoke it? The clause with the name must hold nothing but such a
/// command: "delete" and its like together with "key", or a verb that is said of credentials. Negations, questions,
/// conditions and reports in its sentence ask for nothing. What it does not understand is refused.
[[nodiscard]] bool asks_to_revoke(std::string_view prompt, std::string_view name, std::span<std::string const> others);

} // namespace recruiting::auth_api::agent
