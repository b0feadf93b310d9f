#include "auth_api/agent/tools/api_keys.hpp"
#include "auth_api/agent/tools/catalogue.hpp"
#include "auth_api/agent/tools/read_tool.hpp"
#include "http/problem.hpp"

#include <algorithm>

namespace recruiting::auth_api::agent {
namespace {

constexpr std::chrono::milliseconds first_pause{50};
constexpr std::chrono::milliseconds longest_pause{500};
constexpr std::size_t longest_key_name = 120; // characters

result<tool_input> read_call(tool const* which, tool_call const& wanted) {
    if (which != nullptr) return read_arguments(*which, wanted.arguments);
    auto unknown = make_error(error_code::not_found);
    unknown.message = "There is no such tool.";
    return unknown;
}

// A model may ask for a tool by any name.
void describe(tracing::span& span, tool const* which) {
    auto const name = which == nullptr ? std::string_view("unknown") : which->name;
    span.rename("execute_tool " + std::string(name));
    span.set("gen_ai.operation.name", "execute_tool").set("gen_ai.tool.name", name);
}

// Counts the agent's calls of tools by how they ended. Why one was refused is in the audit log.
class tool_metrics {
public:
    explicit tool_metrics(metrics::registry& registry) {
        for (auto const& one : catalogue())
            if (one.is_for(caller::agent)) counters_.emplace(&one, enlist(registry, std::string(one.name)));
        counters_.emplace(nullptr, enlist(registry, "unknown"));
    }

    // which: nullptr, there is no such tool. status: as an endpoint would have answered.
    void ended(tool const* which, unsigned status) noexcept { count(which, status < 400 ? 0 : status < 500 ? 1 : 2); }
    // PostgreSQL stayed away for too long.
    void gave_up(tool const* which) noexcept { count(which, 3); }

private:
    static constexpr std::array<char const*, 4> outcomes = {"ok", "rejected", "failed", "outage"};

    using of_tool = std::array<metrics::counter*, 4>; // by outcome
    static of_tool enlist(metrics::registry& registry, std::string const& name) {
        of_tool added{};
        for (std::size_t i = 0; i < outcomes.size(); ++i)
            added[i] = &registry.add_counter("recruiting_agent_tool_calls_total", "Tool calls, by outcome.",
                                             "tool=\"" + name + "\",outcome=\"" + outcomes[i] + "\"");
        return added;
    }
    void count(tool const* which, std::size_t outcome) noexcept { counters_.find(which)->second[outcome]->add(); }

    std::map<tool const*, of_tool> counters_; // nullptr: unknown
};

struct finished_call {
    tool const* which{nullptr}; // nullptr: a tool the model made up
    timestamp started_at;
    std::chrono::nanoseconds took{};
    unsigned status{200};        // as an endpoint would have answered
    std::string_view error_code; // "": it succeeded
};

// The audit row of a call: never what was asked for or found. principal: as PostgreSQL named the credential's owner for
// this call.
audit::event tool_call_row(run_context const& run, auth::principal const& principal, finished_call const& call) {
    audit::event row;
    row.id = new_record_id(call.started_at);
    row.occurred_at = call.started_at;
    row.organization_id = principal.organization_id;
    row.credential_id = auth::key_of(principal);
    row.credential_name = principal.credential_name;
    row.actor_type = "agent";
    row.actor_member_id = principal.member_id;
    row.actor_email = principal.member_email;
    row.actor_role = to_string(principal.role);
    row.action = "agent.tool_call";
    row.target_type = "tool";
    row.target_id = "unknown"; // what a model made up can hold anything it read
    if (call.which != nullptr) {
        row.target_id = call.which->name;
        row.endpoint = call.which->endpoint;
        row.required_scope = call.which->scope;
    }
    row.status_code = static_cast<int>(call.status);
    row.success = call.status < 400;
    row.error_code = call.error_code;
    if (run.client) row.ip_address = to_string(*run.client);
    row.user_agent = run.user_agent;
    row.request_id = run.request_id;
    row.session_id = run.session_id;
    row.correlation_id = run.run_id;
    row.duration_ms = std::chrono::duration_cast<std::chrono::milliseconds>(call.took).count();
    return row;
}

class api_tools final : public toolbox {
public:
    explicit api_tools(tool_dependencies deps) : deps_(deps), counted_(deps.metrics) {}

    [[nodiscard]] std::span<tool_description const> offered() const noexcept override { return descriptions(); }
    [[nodiscard]] task<tool_result> call(run_context const& run, tool_call const& wanted) override;

private:
    using sent_key = std::optional<directory::api_key>;
    task<tool_result> attempt(run_context const& run, tool_call const& wanted, sent_key& sent);
    task<tool_outcome> carry_out(run_context const& run, tool const* which, tool_call const& wanted, sent_key& sent,
                                 tracing::parent trace);

    tool_dependencies deps_;
    tool_metrics counted_;
};

// While PostgreSQL is unavailable the call is repeated, as long as the run has time. A read that was made without its
// audit row is not shown: its next attempt reads again.
task<tool_result> api_tools::call(run_context const& run, tool_call const& wanted) {
    auto const give_up_at = std::min(coarse_clock::now() + deps_.settings.tool_timeout, run.deadline);
    auto pause = first_pause;
    sent_key sent;
    for (;;) {
        std::exception_ptr away;
        try {
            auto done = co_await attempt(run, wanted, sent);
            co_return done;
        } catch (outage const&) {
            away = std::current_exception();
        }
        if (coarse_clock::now() + pause >= give_up_at) {
            counted_.gave_up(find_tool(wanted.name));
            std::rethrow_exception(away);
        }
        co_await sleep_for(pause);
        pause = std::min(pause * 2, longest_pause);
    }
}

task<tool_outcome> api_tools::carry_out(run_context const& run, tool const* which, tool_call const& wanted,
                                        sent_key& sent, tracing::parent trace) {
    auto input = read_call(which, wanted);
    if (which == nullptr || which->bind != nullptr) return run_read_tool(deps_, run, which, std::move(input), trace);
    return run_revoke_tool(deps_, run, text_argument(*which, input, "name", longest_key_name), sent, trace);
}

task<tool_result> api_tools::attempt(run_context const& run, tool_call const& wanted, sent_key& sent) {
    auto const began = coarse_clock::now();
    auto const* const which = find_tool(wanted.name);
    auto const started_at = system_time().now();
    tracing::span span(run.trace, tracing::span_kind::internal, "execute_tool");
    if (span) describe(span, which);
    auto const trace = span.or_parent(run.trace);
    auto outcome = co_await carry_out(run, which, wanted, sent, trace);
    finished_call call{which, started_at, {}, outcome.status, outcome.refusal};
    tool_result shown{std::move(outcome.content), outcome.error.has_value()};
    if (outcome.error) {
        shown.content = http::problem_response(*outcome.error, run.request_id, {}).body;
        call.status = http_status(outcome.error->code);
        call.error_code = to_string(outcome.error->code);
    } else {
        shown.used = reach_used(*which, *outcome.principal);
    }
    call.took = coarse_clock::now() - began;
    auto row = tool_call_row(run, outcome.principal ? *outcome.principal : run.principal, call);
    auto writing = pg::segment_span({trace, "write audit row"}, 1);
    auto const written = co_await deps_.audit.write(std::move(row));
    static_cast<void>(written);
    writing.end();
    if (!call.error_code.empty()) span.fail(call.error_code);
    counted_.ended(which, call.status);
    co_return shown;
}

} // namespace

std::unique_ptr<toolbox> make_toolbox(tool_dependencies deps) { return std::make_unique<api_tools>(deps); }

} // namespace recruiting::auth_api::agent
