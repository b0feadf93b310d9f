// The audit row of a request, whichever table its route is in, and how a refusal is answered.
#pragma once
#include "audit/event_store.hpp"
#include "auth/principal.hpp"
#include "auth_api/request_context.hpp"
#include "auth_api/settings.hpp"

#include <string>
#include <string_view>

namespace recruiting::auth_api {

/// What the client says it is, fit for the audit log.
[[nodiscard]] std::string user_agent_of(http::request const& req);
/// What authorization asks of a request.
[[nodiscard]] auth::request_facts facts_of(http::request const& req, std::optional<ip_address> const& client);
/// Every Cookie field, joined by "; ".
[[nodiscard]] std::string cookies_of(http::request const& req);

/// Of a request whose principal is known, whatever its kind.
[[nodiscard]] audit::event request_row(request_context const& of, unsigned status);

/// The answer to a request that an outage interrupted. has_acted: it began a run of the agent or made a change; only
/// its Idempotency-Key then makes it safe to send it again.
[[nodiscard]] api_error error_of_outage(http::request const& req, bool has_acted);

/// problem_response, with the fields of the limit that was reached (draft-ietf-httpapi-ratelimit-headers).
/// waiting_limit: of the organization's reads, 0 when it is not known, as of what an agent's run begins with.
[[nodiscard]] http::response refusal_response(api_error const& error, std::string_view request_id,
                                              std::string_view accept, settings const& config,
                                              std::int64_t waiting_limit);

} // namespace recruiting::auth_api
