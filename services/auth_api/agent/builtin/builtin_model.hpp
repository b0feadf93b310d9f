// The built-in responder as a model: what runs when no model server is set.
#pragma once
#include "auth_api/agent/model.hpp"

#include <memory>

namespace recruiting::auth_api::agent {

[[nodiscard]] std::unique_ptr<model> make_builtin_model(asio::io_context& context);

} // namespace recruiting::auth_api::agent
