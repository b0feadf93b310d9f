// Plays the built-in responder against canned results of tools, as the run loop does.
#pragma once
#include "auth_api/agent/builtin/builtin_model.hpp"

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::test {

namespace agent = auth_api::agent;

inline auto const builtin_tools = std::to_array<agent::tool_description>({
    {"get_organization", "", "{}"},
    {"list_members", "", "{}"},
    {"list_jobs", "", "{}"},
    {"get_job", "", "{}"},
    {"search_candidates", "", "{}"},
    {"get_candidate", "", "{}"},
    {"get_pipeline", "", "{}"},
    {"get_billing", "", "{}"},
    {"search_audit", "", "{}"},
    {"list_api_keys", "", "{}"},
    {"revoke_api_key", "", "{}"},
});

/// Results by "tool arguments"; else by "tool q" for searches by words; else by "tool" alone.
using canned_results = std::map<std::string, std::string, std::less<>>;

struct builtin_run {
    std::vector<std::string> calls; // "tool arguments"
    std::string reply;
};

constexpr int builtin_rounds = 8; // as agent_settings::round_limit

inline timestamp builtin_now() { return *parse_time("2026-03-18T15:30:00Z"); } // a Wednesday

inline std::string canned(canned_results const& results, agent::tool_call const& call) {
    auto found = results.find(call.name + ' ' + call.arguments);
    if (found == results.end() && call.arguments.starts_with(R"({"q":)")) found = results.find(call.name + " q");
    if (found == results.end()) found = results.find(call.name);
    return found == results.end() ? R"({"error":{"code":"not_found","message":""}})" : found->second;
}

inline builtin_run play(std::vector<agent::message> messages, std::string_view prompt,
                        canned_results const& results = {}) {
    builtin_run out;
    messages.push_back({agent::message_role::user, std::string(prompt), {}, {}, {}});
    for (int round = 1; round <= builtin_rounds; ++round) {
        std::span<agent::tool_description const> tools;
        if (round < builtin_rounds) tools = builtin_tools;
        auto said = agent::builtin::respond({messages, tools, builtin_now()});
        out.reply = said.content;
        if (said.tool_calls.empty()) return out;
        messages.push_back({agent::message_role::assistant, said.content, said.tool_calls, {}, {}});
        for (auto const& call : said.tool_calls) {
            out.calls.push_back(call.name + ' ' + call.arguments);
            messages.push_back({agent::message_role::tool, canned(results, call), {}, call.id, call.name});
        }
    }
    return out;
}

inline builtin_run play(std::string_view prompt, canned_results const& results = {}) {
    return play({}, prompt, results);
}

} // namespace recruiting::test
