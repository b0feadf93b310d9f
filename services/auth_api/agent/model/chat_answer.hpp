// What a model server answers: the body of a chat completion, read as tolerantly as servers differ (Ollama, vLLM,
// llama.cpp; tests/support/model_answers). Pure.
#pragma once
#include "auth_api/agent/chat.hpp"
#include "auth_api/agent/model.hpp"

#include <string_view>

namespace recruiting::auth_api::agent {

/// A reply may be empty: whether that ends a run is the run's affair, and its tokens count. Anything that is not a chat
/// completion is a bad_answer. Tool calls without an id of their own get one that begins with id_prefix; names that no
/// tool can have are made such that may be sent back; NUL, which PostgreSQL can't keep, becomes U+FFFD.
[[nodiscard]] model_result read_chat_answer(std::string_view body, std::string_view id_prefix);

} // namespace recruiting::auth_api::agent
