// The built-in responder: answers some plain English questions without a model, by the same tools and the same loop,
// and lists examples of them when it understands none in the prompt. It runs when no model server is set.
#pragma once
#include "auth_api/agent/model.hpp"
#include "core/time.hpp"

#include <memory>
#include <span>

namespace recruiting::auth_api::agent {

[[nodiscard]] std::unique_ptr<model> make_builtin_model(asio::io_context& context);

namespace builtin {

/// What model_request holds of a conversation; "today" is counted from now.
struct conversation {
    std::span<message const> messages;
    std::span<tool_description const> tools;
    timestamp now;
};

/// The next step of the run whose prompt is the last message of the user: calls of tools, or the answer. Pure: the same
/// messages at the same time give the same reply.
[[nodiscard]] model_reply respond(conversation const& so_far);

} // namespace builtin
} // namespace recruiting::auth_api::agent
