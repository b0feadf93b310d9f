// One change on a connection of the pool: opens the transaction, authenticates, calls the function, commits.
#pragma once
#include "auth_api/console/change.hpp"
#include "auth_api/routes.hpp"
#include "crypto/digest.hpp"
#include "pg/client.hpp"

#include <chrono>
#include <cstddef>
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

struct change_pool_settings {
    std::string database_url;
    unsigned connections{2};
    std::size_t most_waiting{512}; // of all organizations, beyond the changes that run
    std::size_t most_waiting_of_organization{32};
    std::size_t most_of_member{8};                 // waiting or running
    std::chrono::milliseconds longest_wait{5'000}; // for a free connection
    std::chrono::milliseconds statement_timeout{4'000};
    std::chrono::milliseconds lock_timeout{2'000};
    std::chrono::milliseconds change_timeout{10'000}; // of the transaction as a whole, as seen from here
};

/// A connection that is made when it is first needed, and again after a failure. Not thread-safe.
class change_connection {
public:
    change_connection(change_pool_settings const& how, settings const& config) : how_(how), config_(config) {}

    /// Throws outage when nothing was changed because PostgreSQL is unavailable, too slow or busy.
    [[nodiscard]] change_outcome perform(change_request const& what);

private:
    void begin(std::optional<pg::enclosing_transaction>& transaction, change_request const& what);
    void drop() noexcept { client_.reset(); }
    // How far a change has come, for what its failure means.
    struct progress {
        std::shared_ptr<auth::principal const> member; // once the session is known
        bool committing{false};
    };
    [[nodiscard]] change_outcome execute(change_request const& what, progress& made);

    change_pool_settings const& how_;
    settings const& config_;
    std::optional<pg::client> client_;
};

} // namespace recruiting::auth_api::console
