// What is known of one request to the console while it is in progress. Used by the dispatcher only.
#pragma once
#include "auth/principal.hpp"
#include "auth_api/console/routes.hpp"
#include "auth_api/console/session_store.hpp"
#include "crypto/digest.hpp"
#include "http/endpoint_dispatcher.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace recruiting::auth_api::console {

struct request_context : http::request_context<action> {
    request_context(http::request const& request, tracing::tracer const& tracer,
                    std::vector<ip_network> const& trusted_proxies)
        : http::request_context<action>(request, routes(), find_route(request.method, request.path), tracer,
                                        trusted_proxies),
          required_scope(route.found == nullptr ? std::string_view() : route.found->scope) {}

    std::string_view error;          // the code of the refusal, or that the agent's run failed
    std::string_view required_scope; // the route's; of an agent's run: what it lacked
    std::optional<uuid> agent_session_id;
    std::optional<uuid> run_id; // of the agent
    bool has_acted{false};      // began a run of the agent, or made a change
    std::string secret;         // the session's; "" where there is none
    digest session_hash{};
    std::int64_t waiting_limit{0}; // of the organization's reads, when the request is refused for that
    std::shared_ptr<auth::principal const> principal;
};

} // namespace recruiting::auth_api::console
