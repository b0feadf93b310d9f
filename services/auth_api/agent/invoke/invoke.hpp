// POST /agent/invoke, and of the console POST /agent/invocations: finds what the Idempotency-Key or the session already
// has, begins a run, or reports the one that exists. One per thread.
#pragma once
#include "auth_api/agent/agent_settings.hpp"
#include "auth_api/agent/invoke/invocation.hpp"
#include "auth_api/agent/model.hpp"
#include "auth_api/agent/run/runner.hpp"
#include "auth_api/http/read.hpp"
#include "telemetry/metrics.hpp"

#include <memory>
#include <optional>

namespace recruiting::audit {
class batcher;
}

namespace recruiting::auth_api::agent {

/// How a run ended that its request did not wait for: set on the thread that carries it out.
struct run_end {
    bool known{false};
    bool failed{false};
    std::string
        body; // what POST /agent/invoke answers; empty: an outage ended the run's work, and its lease will end it
};

/// How an invocation is answered.
struct answering {
    bool waits{true};               // until the run has ended; else as soon as it has begun
    bool with_reply{true};          // the API's answer; false, of the console: none, the session has the reply
    bool is_prompt_own{true};       // run_context::is_prompt_own
    std::shared_ptr<run_end> end{}; // of a run that is not waited for: who wants to know; null: nobody does
};

struct invoke_request {
    http::request const& req;
    auth::credential presented;
    auth::request_facts facts;
    std::string_view required_scope;
    std::string request_id;
    std::string user_agent; // fit for the audit log
    tracing::parent trace{};
    answering how{};
};

// Filled step by step: what is known when an outage ends it counts too.
struct invoke_outcome {
    std::shared_ptr<auth::principal const> principal; // null: the credential is not known
    std::optional<api_error> error;
    http::response answer; // when there is no error
    bool run_begun{false}; // by this request
    bool run_failed{false};
    std::string_view missing_scope; // of those that the reply or the session needs, the first that is not in effect
    // Of the run that was begun or reported, for the audit log.
    std::optional<uuid> session_id;
    std::optional<uuid> run_id;
};

class invocations {
public:
    struct dependencies {
        asio::io_context& context;
        agent_settings const& settings;
        read_connections reads;
        pg::pipeline& connection; // waits for locks of others; not the runner's
        model& chat_model;
        runner& runs;
    };
    explicit invocations(dependencies deps) : deps_(deps) {}

    /// Returns when the run has ended, at once when there is none to wait for. Goes on when the client is gone. Throws
    /// outage when PostgreSQL is unavailable.
    [[nodiscard]] task<void> answer(invoke_request const& request, invoke_outcome& outcome);
    /// Is there no run that goes on without a request?
    [[nodiscard]] bool idle() const noexcept { return unattended_ == 0; }

private:
    enum class step;
    struct request_state;
    struct own_run;

    [[nodiscard]] task<step> look_up(request_state& current);
    [[nodiscard]] task<step> act_on(request_state& current, found_state const& found);
    [[nodiscard]] task<void> fail_dead_run(uuid run_id, tracing::parent trace);
    [[nodiscard]] task<step> prepare(request_state& current);
    [[nodiscard]] run_context make_context(request_state const& current) const;
    [[nodiscard]] task<step> begin(request_state& current);
    [[nodiscard]] task<begin_outcome> send_beginning(request_state const& current);
    [[nodiscard]] task<void> carry_out(request_state& current);
    [[nodiscard]] task<run_record> work(own_run& own);
    [[nodiscard]] task<void> work_unattended(own_run own, std::shared_ptr<run_end> end);

    dependencies deps_;
    std::size_t unattended_{0};
};

/// The agent of one thread, put together: model, tools, runner and invocations on connections of their own.
class thread_agent {
public:
    struct dependencies {
        asio::io_context& context;
        ticker& clock;
        agent_settings const& settings;
        pg::pipeline_settings connection; // as whom, and how
        read_connections reads;
        http::token_signer const& signer;
        audit::batcher& audit;
        metrics::registry& metrics;
    };
    /// All of deps outlive this, but for connection, which is copied. Throws std::runtime_error when a file that
    /// settings name can't be read.
    explicit thread_agent(dependencies deps);
    ~thread_agent() { runs_.stop(); }

    [[nodiscard]] invocations& answering() noexcept { return answering_; }
    /// Has every run ended that no request waits for?
    [[nodiscard]] bool idle() const noexcept { return answering_.idle(); }
    /// Are its connections to PostgreSQL ready?
    [[nodiscard]] bool ready() const noexcept { return connection_.ready() && waiting_connection_.ready(); }
    /// Runs may continue for so long, then they fail.
    void drain(std::chrono::milliseconds limit) { runs_.drain(limit); }

private:
    pg::pipeline connection_;
    // For statements that wait for locks of others: renewals of leases must not stand behind them.
    pg::pipeline waiting_connection_;
    std::unique_ptr<model> chat_model_;
    std::unique_ptr<toolbox> tools_;
    runner runs_;
    invocations answering_;
};

/// The model as it is set, one per thread: a server, or the built-in responder.
[[nodiscard]] std::unique_ptr<model> make_model(asio::io_context& context, model_settings const& config,
                                                metrics::registry& metrics);

} // namespace recruiting::auth_api::agent
