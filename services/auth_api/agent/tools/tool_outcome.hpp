// How a call of a tool ended: for the model, the audit log and the metrics.
#pragma once
#include "audit/event_store.hpp"
#include "auth/principal.hpp"
#include "auth_api/agent/toolbox.hpp"
#include "auth_api/agent/tools/catalogue.hpp"
#include "telemetry/metrics.hpp"

#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::auth_api::agent {

/// Of one attempt of a call.
struct tool_outcome {
    std::shared_ptr<auth::principal const> who; // null: no key has that secret any more
    std::optional<api_error> error;
    std::string content; // when there is no error
    // A change that was refused is no error to the model, but none of its audit row's successes.
    unsigned status{200};
    std::string_view refusal{};
};

/// Counts the agent's calls of tools by how they ended. Why one was refused is in the audit log.
class tool_metrics {
public:
    explicit tool_metrics(metrics::registry& registry) {
        for (auto const& one : catalogue()) enlist(registry, std::string(one.name));
        enlist(registry, "unknown");
    }

    /// which: nullptr, there is no such tool. status: as an endpoint would have answered.
    void ended(tool const* which, unsigned status) noexcept { count(which, status < 400 ? 0 : status < 500 ? 1 : 2); }
    /// PostgreSQL stayed away for too long.
    void gave_up(tool const* which) noexcept { count(which, 3); }

private:
    static constexpr std::array<char const*, 4> outcomes = {"ok", "refused", "failed", "outage"};

    void enlist(metrics::registry& registry, std::string const& name) {
        auto& added = counters_.emplace_back();
        for (std::size_t i = 0; i < outcomes.size(); ++i)
            added[i] = &registry.add_counter("recruiting_agent_tool_calls_total",
                                             "Tools the agent called, by how the calls ended.",
                                             "tool=\"" + name + "\",outcome=\"" + outcomes[i] + "\"");
    }
    void count(tool const* which, std::size_t outcome) noexcept {
        auto const index = which == nullptr ? catalogue().size() : static_cast<std::size_t>(which - catalogue().data());
        counters_[index][outcome]->add();
    }

    std::vector<std::array<metrics::counter*, outcomes.size()>> counters_; // by tool; the last: unknown
};

struct finished_call {
    tool const* which{nullptr}; // nullptr: a tool the model made up
    timestamp started_at;
    std::chrono::nanoseconds took{};
    unsigned status{200};        // what HTTP would have said
    std::string_view error_code; // "": it succeeded
};

/// The audit row of a call: who, which tool, of which run, and how it ended; never what was asked for or found. who: as
/// PostgreSQL named the credential's owner for this call.
[[nodiscard]] audit::event tool_call_row(run_context const& run, auth::principal const& who, finished_call const& call);

} // namespace recruiting::auth_api::agent
