// Whether the caller's own prompt of this run lets revoke_api_key act on a key. What a model has read in records (a CV,
// a job's description) adds nothing to it: a record can't name a key for the caller. Pure.
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace recruiting::auth_api::agent {

enum class consent {
    none,    // the prompt does not hold the key's exact name as a word of its own, or does not contain "revoke"
    unclear, // it does both, but not as a plain command for this key alone: the caller is asked `revoke "NAME"?`
    given,
};

/// A plain command begins the prompt: "revoke", at most words such as "the API key", and the exact name as a word of
/// its own; its clause ends there, and the prompt holds no question mark. A name whose first or last word is an
/// ordinary one ("old", "CI key") must stand in quotation marks. When the command fits one of the other keys too, it is
/// unclear.
[[nodiscard]] consent consent_to_revoke(std::string_view prompt, std::string_view name,
                                        std::span<std::string const> others);

/// The prompt is the plain command and contains nothing else but "please" and "thanks".
[[nodiscard]] bool is_only_command(std::string_view prompt, std::string_view name);

} // namespace recruiting::auth_api::agent
