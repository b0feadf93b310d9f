// Who makes a change, as the audit log keeps it. recruitctl is the system; the console and the agent name the member.
#pragma once
#include "core/ids.hpp"

#include <optional>
#include <string>

namespace recruiting::directory {

struct actor {
    std::string type{"system"}; // system, member, api_key or agent
    std::optional<uuid> member_id;
    std::optional<std::string> email;
    std::optional<std::string> role;
    std::optional<uuid> credential_id;
    std::optional<std::string> credential_name;
    std::optional<uuid> session_id;     // the agent's
    std::optional<uuid> correlation_id; // the agent's run
    std::optional<std::string> request_id;
};

} // namespace recruiting::directory
