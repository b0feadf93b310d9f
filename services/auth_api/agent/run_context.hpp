// Who asked for a run, and which run it is: what its tools act as and its audit rows name. Lives as long as the run.
#pragma once
#include "async/ticker.hpp"
#include "auth/principal.hpp"
#include "crypto/digest.hpp"
#include "telemetry/span.hpp"

#include <optional>
#include <string>

namespace recruiting::auth_api::agent {

struct run_context {
    uuid run_id; // the correlation id
    uuid session_id;
    uuid lease_owner; // of the runner that works on it: changes are made only while it still does
    digest secret_hash{};
    auth::principal who; // as at the start; tools read it anew
    std::optional<ip_address> client;
    std::string user_agent; // fit for the audit log
    std::string request_id;
    coarse_clock::time_point deadline{}; // of the run
    tracing::parent trace{};             // what its steps are parts of
    std::string prompt;                  // the caller's own words: targets of changing tools must occur in it
};

} // namespace recruiting::auth_api::agent
