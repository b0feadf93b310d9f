// POST /agent/invoke: finds what the Idempotency-Key or the session already has, begins a run, or reports the one that
// exists. One per thread.
#pragma once
#include "auth_api/agent/invoke/begin_store.hpp"
#include "auth_api/agent/invoke/invocation.hpp"
#include "auth_api/agent/run/runner.hpp"
#include "auth_api/http/read.hpp"

#include <memory>
#include <optional>

namespace recruiting::auth_api::agent {

struct invoke_request {
    http::request const& req;
    digest secret_hash;
    auth::request_facts facts;
    std::string_view required_scope;
    std::string request_id;
    std::string user_agent; // fit for the audit log
    tracing::parent trace{};
};

// Filled step by step: what is known when an outage ends it counts too.
struct invoke_outcome {
    std::shared_ptr<auth::principal const> who; // null: no key has that secret
    std::optional<api_error> error;
    http::response answer; // when there is no error
    bool run_begun{false}; // by this request
    bool run_failed{false};
    std::string_view missing_scope; // of those that the reply or the session needs, the first that is not in effect
    // Of the run that was begun or told of, for the audit log.
    std::optional<uuid> session_id;
    std::optional<uuid> run_id;
};

class invocations {
public:
    struct dependencies {
        agent_settings const& settings;
        read_connections reads;
        http::token_signer const& signer;
        pg::pipeline& connection; // waits for locks of others; not the runner's
        model& chat_model;
        runner& runs;
    };
    explicit invocations(dependencies needs) : needs_(needs) {}

    /// Returns when the run has ended, at once when there is none to wait for. Goes on when the client is gone. Throws
    /// outage when PostgreSQL is away.
    [[nodiscard]] task<void> answer(invoke_request const& request, invoke_outcome& outcome);

private:
    struct attempt; // of one request, between its steps

    [[nodiscard]] task<found_state> look_up(attempt& now);
    [[nodiscard]] task<bool> act_on(attempt& now, found_state const& found);
    [[nodiscard]] task<bool> begin(attempt& now);
    struct beginning;
    [[nodiscard]] task<beginning> store_beginning(attempt& now, run_context const& run);
    [[nodiscard]] run_context make_context(attempt const& now) const;

    dependencies needs_;
};

/// The response's body and header fields for a run as it is stored.
[[nodiscard]] http::response render_run(run_record const& run, bool replay, bool other_prompt);

} // namespace recruiting::auth_api::agent
