// POST /chat/completions in the OpenAI protocol: the system prompt, the fences around data, the body that is sent, and
// the answer, read as tolerantly as servers differ (Ollama, vLLM, llama.cpp; tests/support/model_answers). Before it,
// which part of a conversation the model gets to read, so that it fits its context (context_window.cpp); after it, what
// of its text is a reply (spoken_text.cpp). Pure.
#pragma once
#include "auth_api/agent/model.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::auth_api::agent {

/// How many tokens a text may have, at most, without asking the model's own tokenizer: a token of English prose is
/// about four bytes, of JSON, ids and most other languages nearer to three, of Chinese or Japanese one three-byte
/// character. A third of the bytes errs on the side that still fits.
[[nodiscard]] std::int64_t estimate_tokens(std::size_t bytes) noexcept;
[[nodiscard]] std::int64_t estimate_tokens(message const& message) noexcept;

/// The messages to send, of at most so many tokens by the estimate: the oldest whole turns of the history go first (a
/// turn is a user's message and all up to the next), then the oldest results of this run's tools are cut and end in
/// a note. The current prompt and the model's messages stay, even if they don't fit then. Calls without a
/// result and results without a call, which the protocol does not know, are left out.
[[nodiscard]] std::vector<message> fit_context(std::span<message const> messages, std::size_t history,
                                               std::int64_t tokens);

/// Marks text from records as data: the results of tools stand between two lines that hold a nonce, which the model
/// is instructed to trust and which no record can contain.
class fence {
public:
    /// nonce: text for one run that cannot be guessed. The same in all of a run's calls: the model server then has to
    /// read only what is new.
    explicit fence(std::string nonce);

    [[nodiscard]] std::string const& opening() const noexcept { return opening_; }
    [[nodiscard]] std::string const& closing() const noexcept { return closing_; }
    /// data between the two lines; a nonce in it is taken out, so that it closes nothing.
    [[nodiscard]] std::string around(std::string_view data) const;

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

struct spoken_text {
    std::string text;
    bool is_tool_call{false}; // text is markup that the server's tool parser should have read
};

/// The content of an answer without the thoughts that its server left in it; empty if nothing else is there. A tag
/// that is only mentioned stays.
[[nodiscard]] spoken_text read_spoken(std::string_view content);

/// A reply holds no thoughts. It may be empty: whether that ends a run is the run's affair, and its tokens count.
/// Anything that is not a chat completion is a bad_response. Tool calls without an id of their own get one that begins
/// with id_prefix; names that no tool can have are made such that may be sent back; NUL, which PostgreSQL can't keep,
/// becomes U+FFFD.
[[nodiscard]] model_result read_chat_answer(std::string_view body, std::string_view id_prefix);

} // namespace recruiting::auth_api::agent
