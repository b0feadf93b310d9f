// The agent as its callers meet it: two auth-api on one database, a model server, an organization with keys.
#pragma once
#include "auth_api/settings.hpp"
#include "integration/auth_api/harness.hpp"
#include "integration/support/http_server_harness.hpp"
#include "integration/support/model_double.hpp"
#include "support/database.hpp"
#include "support/directory.hpp"

#include <atomic>
#include <memory>
#include <optional>
#include <string>

namespace recruiting::test {

/// An answer of POST /agent/invoke or of GET /agent/sessions/{id}, taken apart.
struct agent_answer {
    http_answer raw;
    unsigned status{0};
    std::string code; // of an error that is none of the agent's
    std::string session_id;
    std::optional<std::string> reply;
    std::string state; // "status"
    bool replay{false};
    std::optional<std::string> error;
    std::optional<std::string> failed_correlation_id;
    std::optional<std::string> correlation_id; // of a session: the run that state and reply are of
};
[[nodiscard]] agent_answer read_invoke_answer(http_answer raw);
[[nodiscard]] agent_answer read_session_answer(http_answer raw);

/// A model that answers only when it is told to.
class held_model {
public:
    explicit held_model(model_double& model, std::string reply = "Done.");
    ~held_model() { release(); }
    held_model(held_model const&) = delete;
    held_model& operator=(held_model const&) = delete;
    void release() { *released_ = true; }

private:
    std::shared_ptr<std::atomic<bool>> released_{std::make_shared<std::atomic<bool>>(false)};
};

struct agent_system {
    explicit agent_system(auth_api_harness::adjustment adjust = {});

    /// Starts `second` anew, such as after reset(): an instance that died comes back.
    void start_second();

    [[nodiscard]] agent_answer invoke(auth_api_harness const& at, std::string const& prompt,
                                      std::string const& idempotency_key = {}) const;
    [[nodiscard]] agent_answer invoke_as(std::string const& secret, std::string const& prompt,
                                         std::string const& idempotency_key = {}) const;
    [[nodiscard]] agent_answer resume(std::string const& session_id, std::string const& prompt) const;
    [[nodiscard]] agent_answer resume_as(std::string const& secret, std::string const& session_id,
                                         std::string const& prompt) const;
    [[nodiscard]] agent_answer session(auth_api_harness const& at, std::string const& id) const;

    /// A key of a new member with this role.
    [[nodiscard]] std::string key_of(role held, std::vector<std::string> const& scopes = {"*"});
    /// Another key of the admin's.
    [[nodiscard]] std::string admin_key(std::vector<std::string> const& scopes);

    /// Of a query of one row and column, as text.
    [[nodiscard]] std::string value(std::string const& sql);
    [[nodiscard]] std::string runs() { return value("SELECT count(*) FROM recruiting.agent_runs"); }
    [[nodiscard]] bool run_ends_as(std::string const& status);
    void expire_leases();

    test_database database;
    model_double model;
    std::string slug{new_slug()};
    std::string admin{"admin@" + slug + ".example"};
    std::string secret; // the admin's, for everything
    auth_api_harness::adjustment adjust;
    std::unique_ptr<auth_api_harness> first;
    std::unique_ptr<auth_api_harness> second;
};

/// The body of an invocation.
[[nodiscard]] std::string prompt_body(std::string const& prompt);
[[nodiscard]] std::string key_line(std::string const& idempotency_key);

} // namespace recruiting::test
