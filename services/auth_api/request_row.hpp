// The audit row of a request, whichever table its route is in, and how a refusal is answered. Used by both dispatchers.
#pragma once
#include "audit/event_store.hpp"
#include "auth/principal.hpp"
#include "auth_api/settings.hpp"
#include "http/endpoint_dispatcher.hpp"

#include <string>
#include <string_view>

namespace recruiting::auth_api {

/// What the client says it is, fit for the audit log.
[[nodiscard]] std::string user_agent_of(http::request const& req);
/// What authorization asks of a request.
[[nodiscard]] auth::request_facts facts_of(http::request const& req, std::optional<ip_address> const& client);
/// Every Cookie field, joined by "; ".
[[nodiscard]] std::string cookies_of(http::request const& req);

/// Of a request whatever its principal's kind; started_at and what follows are of its context.
struct audited_request {
    http::request const& req;
    timestamp started_at;
    std::string_view endpoint;
    std::optional<ip_address> const& client;
    std::string const& request_id;
    std::chrono::nanoseconds elapsed;
};
template <class Action>
[[nodiscard]] audited_request audited(http::request_context<Action> const& context) {
    return {context.req, context.started_at, context.endpoint(), context.client, context.request_id, context.elapsed()};
}
/// error: the code of the refusal, or "".
[[nodiscard]] audit::event request_row(audited_request const& what, auth::principal const& by, unsigned status,
                                       std::string_view error);

/// The answer to a request that an outage interrupted. has_acted: it began a run of the agent or made a change; only
/// its Idempotency-Key then makes it safe to send it again.
[[nodiscard]] api_error error_of_outage(http::request const& req, bool has_acted);

/// problem_response, with the fields of the limit that was reached (draft-ietf-httpapi-ratelimit-headers).
/// waiting_limit: of the organization's reads, 0 when it is not known, as of what an agent's run begins with.
[[nodiscard]] http::response refusal_response(api_error const& error, std::string_view request_id,
                                              std::string_view accept, settings const& config,
                                              std::int64_t waiting_limit);

} // namespace recruiting::auth_api
