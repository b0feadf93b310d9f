// Which part of a conversation a model gets to read, so that it fits its context. Pure.
#pragma once
#include "auth_api/agent/model.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
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

} // namespace recruiting::auth_api::agent
