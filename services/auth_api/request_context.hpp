// What is known of one request to the API or to the console while it is in progress, its audit row, and how a refusal
// of it is answered. Used by the dispatchers and by sign-in.
#pragma once
#include "audit/event_store.hpp"
#include "auth/principal.hpp"
#include "auth_api/routes.hpp"
#include "auth_api/settings.hpp"
#include "http/endpoint_dispatcher.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
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
    // Of a message of the Model Context Protocol, for the audit log: its method or tool, and the status that the
    // endpoint of the tool would have answered. Empty and 0: the request's own.
    std::string audited_as{};
    unsigned audited_status{0};
    std::shared_ptr<auth::principal const> principal;
};

/// What the client says it is, fit for the audit log.
[[nodiscard]] std::string user_agent_of(http::request const& req);
/// What authorization asks of a request.
[[nodiscard]] auth::request_facts facts_of(http::request const& req, std::optional<ip_address> const& client);
/// Every Cookie field, joined by "; ".
[[nodiscard]] std::string cookies_of(http::request const& req);

/// The audit row of a request whose principal is known, whatever its kind.
[[nodiscard]] audit::event request_row(request_context const& of, unsigned status);

/// The answer to a request that an outage interrupted. has_acted: it began a run of the agent or made a change; only
/// its Idempotency-Key then makes it safe to send it again.
[[nodiscard]] api_error error_of_outage(http::request const& req, bool has_acted);

/// problem_response, with the fields of the limit that was reached (draft-ietf-httpapi-ratelimit-headers).
/// waiting_limit: of the organization's reads; 0: it is not known.
[[nodiscard]] http::response refusal_response(api_error const& error, std::string_view request_id,
                                              std::string_view accept, settings const& config,
                                              std::int64_t waiting_limit);

} // namespace recruiting::auth_api
