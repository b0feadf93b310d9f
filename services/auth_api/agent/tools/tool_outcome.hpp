// How one attempt of a tool's call ended.
#pragma once
#include "auth/principal.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace recruiting::auth_api::agent {

struct tool_outcome {
    std::shared_ptr<auth::principal const> who; // null: no key has that secret any more
    std::optional<api_error> error;
    std::string content; // when there is no error
    // A change that was refused is no error to the model, but none of its audit row's successes.
    unsigned status{200};
    std::string_view refusal{};
};

} // namespace recruiting::auth_api::agent
