// The settings of the agent, part of auth-api's settings (proto-docs/agent.md).
#pragma once
#include "core/settings.hpp"

#include <chrono>
#include <cstdint>
#include <string>

namespace recruiting::auth_api::agent {

struct model_settings {
    std::string base_url; // "https://models.example/v1"; empty: the built-in responder
    std::string name;     // what the server calls the model
    std::string api_key;
    std::string ca_file; // PEM; empty: the system's
    std::string proxy;   // empty: none, whatever the environment holds
    std::int64_t context_tokens{16'384};
    std::int64_t response_tokens{2'048};
    std::chrono::milliseconds call_timeout{60'000};

    // Constants, which only tests change.
    std::int64_t response_limit{4 * 1024 * 1024};     // bytes of one answer's body: far beyond any reply in tokens
    std::int64_t retries{2};                          // after a failed connect, 429 or 503: a restart's length
    std::chrono::milliseconds connect_timeout{5'000}; // a handshake over any network
};

struct agent_settings {
    model_settings model;
    std::int64_t runs_per_organization{20}; // at once
    std::int64_t runs_per_process{1'000};   // at once
    std::chrono::milliseconds run_timeout{120'000};
    std::chrono::milliseconds lease{30'000};

    // Constants, which only tests change.
    std::int64_t prompt_limit{32'000};                // characters: about half of the default context
    std::int64_t round_limit{8};                      // calls of the model: a question needs two or three
    std::int64_t tool_call_limit{32};                 // four a round
    std::int64_t tool_result_limit{32 * 1024};        // bytes: a page of records, about half of the default context
    std::chrono::milliseconds tool_timeout{10'000};   // for an unavailable PostgreSQL: a failover's length
    std::chrono::milliseconds orphan_interval{1'000}; // a run whose process died has waited for the lease before
    std::chrono::milliseconds drain_timeout{15'000};  // of a drain's 20 s by default
    std::chrono::milliseconds heartbeat{5'000};       // follows from the lease (settings::complete)
};

void declare(settings_reader& reader, agent_settings& target);

} // namespace recruiting::auth_api::agent
