// One row of the audit log (specification: Authentication, 10; design: Audit). Prompts and candidates' data never go
// in.
#pragma once
#include "core/ids.hpp"
#include "core/time.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace recruiting::audit {

struct event {
    uuid id{new_record_id()};
    timestamp occurred_at{system_time().now()};
    uuid organization_id;
    std::optional<uuid> credential_id;
    std::string credential_name;       // empty texts are stored as NULL
    std::string actor_type{"api_key"}; // api_key, member, agent, system
    std::optional<uuid> actor_member_id;
    std::string actor_email;
    std::string actor_role;
    std::string action; // api.request, key.revoked, …
    std::string method;
    std::string endpoint; // the route's template
    std::string path;     // without the query string
    std::string target_type;
    std::string target_id;
    std::optional<int> status_code;
    bool success{true};
    std::string error_code;
    std::string required_scope;
    std::string ip_address;
    std::string user_agent;
    std::string request_id;
    std::optional<uuid> session_id;
    std::optional<uuid> correlation_id;
    std::optional<std::int64_t> duration_ms;
    bool credential_refused{
        false}; // not a column: of such rows only some a minute and key are written, the rest counted
};

} // namespace recruiting::audit
