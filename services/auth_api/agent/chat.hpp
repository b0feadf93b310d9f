// What the agent and a model say to each other, in the shapes of the OpenAI chat-completions protocol: values only.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace recruiting::auth_api::agent {

enum class speaker { user, assistant, tool };

struct tool_call {
    std::string id; // never empty: made here when the model gave none
    std::string name;
    std::string arguments; // JSON text as the model gave it, not checked yet
    bool operator==(tool_call const&) const = default;
};

struct message {
    speaker from{speaker::user};
    std::string content;
    std::vector<tool_call> tool_calls; // assistant
    std::string tool_call_id;          // tool: which call it answers
    std::string tool_name;             // tool
    bool operator==(message const&) const = default;
};

struct token_usage {
    std::int64_t input{0};
    std::int64_t output{0};
    token_usage& operator+=(token_usage const& more) {
        input += more.input;
        output += more.output;
        return *this;
    }
    bool operator==(token_usage const&) const = default;
};

/// One answer of a model: tool calls, or a text, or both.
struct model_reply {
    std::string content;
    std::vector<tool_call> tool_calls;
    token_usage usage; // zero where the model does not tell
};

} // namespace recruiting::auth_api::agent
