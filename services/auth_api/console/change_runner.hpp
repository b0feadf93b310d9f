// Who runs the changes of the console: the dispatcher hands over what a request holds and waits for the outcome. The
// change pool implements it (change_pool.hpp): one connection per thread, and one transaction per change that begins
// with auth::authenticate_session. One for the process; dispatchers of all threads call it.
#pragma once
#include "async/task.hpp"
#include "auth_api/console/change.hpp"
#include "crypto/digest.hpp"

#include <memory>
#include <optional>
#include <string>

namespace recruiting::auth_api::console {

struct change_request {
    change_function function{nullptr};
    digest session_hash{};
    uuid organization_id; // as read a moment ago: they decide whose turn it is, and nothing else
    uuid member_id;
    auth::request_facts facts; // service_organization is not set: its id is organization
    http::path_params path;
    std::string query; // still percent-encoded
    std::string body;
    std::string request_id;
};

struct change_outcome {
    std::shared_ptr<auth::principal const> principal; // null: no session that lives has that cookie
    std::optional<api_error> error;                   // nothing was changed
    http::response answer;                            // when there is no error: the change is committed
};

class change_runner {
public:
    virtual ~change_runner() = default;
    /// A session without an organization, or in another one than the request names, is refused before the function is
    /// called (organization_not_chosen, organization_mismatch). Throws
    /// outage when PostgreSQL is unavailable or the pool is too busy. The task is resumed on the caller's executor.
    [[nodiscard]] virtual task<change_outcome> run(io_executor caller, change_request what) = 0;
};

} // namespace recruiting::auth_api::console
