// What a prompt says of revoking a key. Only a plain command counts, and only the caller's own words give the name.
#pragma once
#include "auth_api/agent/builtin/prompt.hpp"

#include <string>
#include <vector>

namespace recruiting::auth_api::agent::responder {

struct revocation_prompt {
    enum class kind {
        none,     // of something else
        question, // about revoking: "should I revoke …", "don't revoke …"
        unnamed,  // "revoke a key", or more is said than a command with a name
        several,  // "revoke all keys", "revoke the keys a and b"
        one,
    };
    kind what{kind::none};
    /// What the name may be, as it stands in the prompt: "revoke the CI key" may mean "CI key" or "CI".
    std::vector<std::string> names;
};

[[nodiscard]] revocation_prompt read_revocation(prompt const& asked);

} // namespace recruiting::auth_api::agent::responder
