// What is asked of a model server: the body of POST /chat/completions in the OpenAI protocol. Pure.
#pragma once
#include "auth_api/agent/chat.hpp"
#include "auth_api/agent/model.hpp"
#include "auth_api/agent/model/fence.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace recruiting::auth_api::agent {

struct chat_request {
    std::string_view model;
    std::string_view system_prompt;
    std::span<message const> messages;
    std::span<tool_description const> tools;
    std::int64_t answer_tokens{0};
};

/// Results of tools stand between the fence's lines.
[[nodiscard]] std::string chat_request_json(chat_request const& request, fence const& around_data);

} // namespace recruiting::auth_api::agent
