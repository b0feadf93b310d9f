// What is known of one request while it is in progress, and the audit row made from it. Used by dispatch only.
#pragma once
#include "audit/event_store.hpp"
#include "auth/principal.hpp"
#include "auth_api/routes.hpp"
#include "http/endpoint_dispatcher.hpp"

#include <string>
#include <vector>

namespace recruiting::auth_api {

struct request_context : http::request_context<bind_function> {
    request_context(http::request const& request, tracing::tracer const& tracer,
                    std::vector<ip_network> const& trusted_proxies);

    [[nodiscard]] auth::request_facts facts() const;
    [[nodiscard]] audit::event audit_row(unsigned status) const;
    /// What the client says it is, fit for the audit log.
    [[nodiscard]] std::string user_agent() const;

    std::string_view required_scope; // the route's; of an agent's run: what it lacked
    std::string_view error;          // the code of the refusal, or that the agent's run failed
    std::optional<uuid> session_id;  // of the agent's run
    std::optional<uuid> run_id;
    std::int64_t waiting_limit{0}; // of the organization's reads, when the request is refused for that
    bool run_begun{false};
    std::shared_ptr<auth::principal const> principal;
};

} // namespace recruiting::auth_api
