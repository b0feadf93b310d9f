// The built-in responder: answers the common questions without a model, by the same tools and the same loop. Pure: the
// same messages at the same time give the same reply.
#pragma once
#include "auth_api/agent/chat.hpp"
#include "auth_api/agent/model.hpp"
#include "core/time.hpp"

#include <cstddef>
#include <span>

namespace recruiting::auth_api::agent::responder {

/// What model_request holds of a conversation; now is what "today" is counted from.
struct conversation {
    std::span<message const> messages;
    std::size_t history{0};
    std::span<tool_description const> tools;
    timestamp now;
};

/// The next step of the run whose prompt is the last message of the user: calls of tools, or the answer.
[[nodiscard]] model_reply respond(conversation const& so_far);

} // namespace recruiting::auth_api::agent::responder
