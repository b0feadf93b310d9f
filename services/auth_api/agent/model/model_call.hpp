// One call of a model server with its retries: what is asked, until when, and how it went. Knows HTTP and nothing of
// chats.
#pragma once
#include "async/ticker.hpp"
#include "auth_api/agent/agent_settings.hpp"
#include "auth_api/agent/model.hpp"
#include "transfer/http_exchange.hpp"

namespace recruiting::auth_api::agent {

struct call_outcome {
    transfer::http_result result;
    std::int64_t retries{0};
};

/// Repeats what retry_pause lets repeat, until the deadline. cancel ends it at once.
[[nodiscard]] task<call_outcome> call_server(transfer::engine& engine, transfer::http_request request,
                                             std::int64_t retries, coarse_clock::time_point deadline,
                                             cancellation& cancel);

/// The request of a GET (no body) or a POST, with the key and the way there.
[[nodiscard]] transfer::http_request server_request(model_settings const& config, std::string_view path,
                                                    std::string body);

/// What a failed call is to the run. nullopt: it has a body to be read.
[[nodiscard]] std::optional<model_failure> failure_of(transfer::http_result const& result);
/// Does it speak against the server, and not only against this one request?
[[nodiscard]] bool server_failed(transfer::http_result const& result) noexcept;

} // namespace recruiting::auth_api::agent
