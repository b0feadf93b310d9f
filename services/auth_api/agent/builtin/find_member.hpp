// Which member a prompt means, by name or e-mail address.
#pragma once
#include "auth_api/agent/builtin/desk.hpp"

#include <optional>
#include <string>

namespace recruiting::auth_api::agent::responder {

struct found_member {
    std::string id;
    std::string name;
};

/// Says so when there is none, and asks which when there are several.
[[nodiscard]] std::optional<found_member> find_member(desk& work, std::string const& named);

} // namespace recruiting::auth_api::agent::responder
