// Plays the built-in responder against canned results of tools, as the run loop does.
#pragma once
#include "auth_api/agent/builtin/builtin_model.hpp"
#include "auth_api/agent/tools/catalogue.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::test {

namespace agent = auth_api::agent;

/// Results by "tool arguments"; else by "tool" alone.
using canned_results = std::map<std::string, std::string, std::less<>>;

struct builtin_run {
    std::vector<std::string> calls; // "tool arguments"
    std::string reply;
};

constexpr int builtin_rounds = 8; // as agent_settings::round_limit

inline timestamp builtin_now() { return *parse_time("2026-03-18T15:30:00Z"); }

inline std::string page_of(std::string const& records, std::string const& next = "null") {
    return R"({"data":[)" + records + R"(],"page":{"limit":50,"hasMore":false,"nextCursor":)" + next + "}}";
}

inline std::string const backend_job =
    R"({"id":"0199c1a1c3d87f02b5a6e4d17c930f01","title":"Backend Engineer","status":"open","department":"Engineering",
        "location":{"name":"Berlin","city":"Berlin"},"candidateCount":1200})";
inline std::string const nurse_job =
    R"({"id":"0199c1a1c3d87f02b5a6e4d17c930f02","title":"Nurse","status":"open","department":null,"location":null,
        "candidateCount":1})";

/// A small organization in which every tool answers.
inline canned_results acme() {
    canned_results out;
    out["get_organization"] = R"({"data":{"name":"Acme Ltd","memberCount":12,"openJobCount":2}})";
    out["list_members"] = page_of(R"({"email":"ada@acme.example","name":"Ada Evans","role":"admin"})");
    out["list_jobs"] = page_of(backend_job + ',' + nurse_job);
    out[R"(list_jobs {"q":"Nobody"})"] = page_of("");
    out["get_pipeline"] =
        R"({"data":{"jobTitle":"Backend Engineer","stages":[
            {"name":"Applied","activeCount":2,"hasMore":false,"applications":[
              {"candidateName":"Anna Schmidt"},{"candidateName":"Ben Costa"}]},
            {"name":"Interview","activeCount":7,"hasMore":true,"applications":[{"candidateName":"Chloé Roux"}]},
            {"name":"Offer","activeCount":0,"hasMore":false,"applications":[]}],
            "totals":{"active":9}}})";
    out["search_candidates"] = page_of(R"({"id":"c1","name":"Anna Schmidt","email":"anna@example.com"})");
    out["count_candidates"] = R"({"data":{"count":1234}})";
    out["list_api_keys"] =
        page_of(R"({"name":"warehouse-sync","displayedPrefix":"sp_live_AbCd","ownerName":"Ada Evans","state":"active",
                    "expiresAt":"2026-03-31T00:00:00.000Z"},
                   {"name":"CI","displayedPrefix":"sp_live_XyZa","ownerName":"Ben Chen","state":"active",
                    "expiresAt":null})");
    out["revoke_api_key"] = R"({"data":{"revoked":true,"id":"k1","name":"warehouse-sync"}})";
    return out;
}

inline std::string canned(canned_results const& results, agent::tool_call const& call) {
    auto found = results.find(call.name + ' ' + call.arguments);
    if (found == results.end()) found = results.find(call.name);
    return found == results.end() ? R"({"error":{"code":"not_found","message":""}})" : found->second;
}

inline builtin_run play(std::string_view prompt, canned_results const& results = acme()) {
    builtin_run out;
    std::vector<agent::message> messages{{agent::message_role::user, std::string(prompt), {}, {}, {}}};
    for (int round = 1; round <= builtin_rounds; ++round) {
        std::span<agent::tool_description const> tools;
        if (round < builtin_rounds) tools = agent::descriptions();
        auto said = agent::builtin::respond(messages, tools, builtin_now());
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

} // namespace recruiting::test
