// POST /chat/completions in the OpenAI protocol: the system prompt, the fences around data, the body that is sent, and
// the answer, read as tolerantly as servers differ (Ollama, vLLM, llama.cpp; tests/support/model_answers). Pure.
#pragma once
#include "auth_api/agent/model.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace recruiting::auth_api::agent {

/// Marks text from records as data: the results of tools stand between two lines that hold a nonce, which the model
/// is instructed to trust and which no record can contain.
class fence {
public:
    /// nonce: text that nobody can guess, for one run. The same in all of a run's calls: the model server then has to
    /// read only what is new.
    explicit fence(std::string nonce);

    [[nodiscard]] std::string const& opening() const noexcept { return opening_; }
    [[nodiscard]] std::string const& closing() const noexcept { return closing_; }
    /// data between the two lines; a nonce in it is taken out, so that it closes nothing.
    [[nodiscard]] std::string around(std::string_view data) const;
    /// How much longer that makes it.
    [[nodiscard]] std::size_t size() const noexcept { return opening_.size() + closing_.size() + 2; }

private:
    std::string nonce_;
    std::string opening_;
    std::string closing_;
};

/// What the nonce of a run is: it depends on the prompt and on a secret of this process.
[[nodiscard]] std::string fence_nonce(std::string_view secret, std::string_view prompt);

/// The instructions before the conversation. Never stored, never shown. today: "2026-01-31". What changes from
/// run to run stands last, so that a model server can keep what it read of the rest.
[[nodiscard]] std::string system_prompt(fence const& around_data, std::string_view today);

struct chat_request {
    std::string_view model;
    std::string_view system_prompt;
    std::span<message const> messages;
    std::span<tool_description const> tools;
    std::int64_t response_tokens{0};
};

/// Results of tools stand between the fence's lines.
[[nodiscard]] std::string chat_request_json(chat_request const& request, fence const& around_data);

/// A reply may be empty: whether that ends a run is the run's affair, and its tokens count. Anything that is not a chat
/// completion is a bad_response. Tool calls without an id of their own get one that begins with id_prefix; names that
/// no tool can have are made such that may be sent back; NUL, which PostgreSQL can't keep, becomes U+FFFD.
[[nodiscard]] model_result read_chat_answer(std::string_view body, std::string_view id_prefix);

} // namespace recruiting::auth_api::agent
