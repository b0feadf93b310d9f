// The built-in responder: answers a handful of questions without a model, by the same tools and the same loop, and
// lists what it can do when it does not understand the prompt. It runs when no model server is set.
#pragma once
#include "auth_api/agent/model.hpp"

#include <memory>

namespace recruiting::auth_api::agent {

[[nodiscard]] std::unique_ptr<model> make_builtin_model(asio::io_context& context);

} // namespace recruiting::auth_api::agent
