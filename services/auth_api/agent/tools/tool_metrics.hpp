// Counts the agent's calls of tools by how they ended. Why one was refused is in the audit log.
#pragma once
#include "auth_api/agent/tools/catalogue.hpp"
#include "telemetry/metrics.hpp"

#include <array>
#include <string>
#include <vector>

namespace recruiting::auth_api::agent {

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

} // namespace recruiting::auth_api::agent
