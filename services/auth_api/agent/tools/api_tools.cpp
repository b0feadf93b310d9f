#include "auth_api/agent/tools/api_tools.hpp"

#include "auth_api/agent/tools/read_tool.hpp"
#include "auth_api/agent/tools/revoke_tool.hpp"
#include "auth_api/agent/tools/tool_outcome.hpp"
#include "http/problem.hpp"

#include <algorithm>

namespace recruiting::auth_api::agent {
namespace {

constexpr std::chrono::milliseconds first_pause{50};
constexpr std::chrono::milliseconds longest_pause{500};
constexpr std::size_t longest_key_name = 480; // 120 characters

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

class api_tools final : public toolbox {
public:
    explicit api_tools(tool_dependencies needs)
        : needs_(needs), runtime_{needs.reads, needs.signer,
                                  static_cast<std::size_t>(needs.settings.tool_result_limit)},
          counted_(needs.metrics) {}

    [[nodiscard]] std::span<tool_description const> offered() const noexcept override { return descriptions(); }
    [[nodiscard]] task<tool_result> call(run_context const& run, tool_call const& wanted) override;

private:
    using sent_key = std::optional<directory::api_key>;
    task<tool_result> attempt(run_context const& run, tool_call const& wanted, sent_key& sent);
    task<tool_outcome> carry_out(run_context const& run, tool const* which, tool_call const& wanted, sent_key& sent,
                                 tracing::parent trace);

    tool_dependencies needs_;
    tool_runtime runtime_;
    tool_metrics counted_;
};

// While PostgreSQL is away the call is begun anew, as long as the run has time. A read that was made without its audit
// row is not shown: its next attempt reads again.
task<tool_result> api_tools::call(run_context const& run, tool_call const& wanted) {
    auto const give_up_at = std::min(coarse_clock::now() + needs_.settings.tool_patience, run.deadline);
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
    auto runtime = runtime_;
    runtime.trace = trace;
    auto input = read_call(which, wanted);
    if (which == nullptr || which->bind != nullptr) return run_read_tool(runtime, run, which, std::move(input));
    revoke_connections const on{needs_.reads, needs_.changes, needs_.signer, needs_.settings.lease, trace};
    return run_revoke_tool(on, run, text_argument(*which, input, "name", longest_key_name), sent);
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
        shown.used = reach_used(*which, *outcome.who);
    }
    call.took = coarse_clock::now() - began;
    auto row = tool_call_row(run, outcome.who ? *outcome.who : run.who, call);
    auto writing = pg::segment_span({trace, "write audit row"}, 1);
    auto const written = co_await needs_.audit.write(std::move(row));
    static_cast<void>(written);
    writing.end();
    if (!call.error_code.empty()) span.fail(call.error_code);
    counted_.ended(which, call.status);
    co_return shown;
}

} // namespace

std::unique_ptr<toolbox> make_toolbox(tool_dependencies needs) { return std::make_unique<api_tools>(needs); }

} // namespace recruiting::auth_api::agent
