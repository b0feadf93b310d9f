// What is known of one request to the API or to the console while it is in progress. Used by the dispatchers only.
#pragma once
#include "auth/principal.hpp"
#include "auth_api/routes.hpp"
#include "http/endpoint_dispatcher.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace recruiting::auth_api {

struct request_context : http::endpoint_request<action> {
    /// found: of table.
    request_context(http::request const& request, std::span<auth_api::route const> table, route_match found,
                    tracing::tracer const& tracer, std::vector<ip_network> const& trusted_proxies)
        : http::endpoint_request<action>(request, table, std::move(found), tracer, trusted_proxies),
          required_scope(route.found == nullptr ? std::string_view() : route.found->scope) {}

    std::string_view required_scope; // the route's; of an agent's run: what it lacked
    std::string_view error;          // the code of the refusal, or that the agent's run failed
    std::optional<uuid> session_id;  // of the agent's run
    std::optional<uuid> run_id;
    std::int64_t waiting_limit{0}; // of the organization's reads, when the request is refused for that
    bool has_acted{false};         // began a run of the agent, or made a change
    std::shared_ptr<auth::principal const> principal;
};

} // namespace recruiting::auth_api
