// What is known of one request while it is under way, and the audit row made from it. Used by dispatch only.
#pragma once
#include "audit/event_store.hpp"
#include "auth/principal.hpp"
#include "auth_api/routes.hpp"
#include "http/message.hpp"
#include "http/trace.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace recruiting::auth_api {

/// "/api/v1/jobs/{id}": the endpoints by the order of routes(), then that of the document.
[[nodiscard]] std::vector<std::string> const& endpoints();

struct exchange {
    exchange(http::request const& request, std::optional<ip_address> from, http::request_trace in);

    /// The endpoint that the path names; its scope too, when the method is its own.
    void set_route(route_match const& match);
    void set_document();
    [[nodiscard]] auth::request_facts facts() const;
    [[nodiscard]] audit::event audit_row(unsigned status) const;
    /// What the client says it is, fit for the audit log.
    [[nodiscard]] std::string user_agent() const;
    [[nodiscard]] std::chrono::nanoseconds elapsed() const { return std::chrono::steady_clock::now() - began; }

    http::request const& req;
    std::optional<ip_address> client;
    std::string request_id;
    http::request_trace trace;
    timestamp started_at;
    std::chrono::steady_clock::time_point began;
    std::size_t number{endpoints().size()}; // in endpoints(); of no route: past them
    std::string_view endpoint;              // "/api/v1/jobs/{id}", or "" for no route; points into static storage
    std::string_view required_scope;
    std::string_view error;         // the code of the refusal, or that the agent's run failed
    std::optional<uuid> session_id; // of the agent's run
    std::optional<uuid> run_id;
    std::int64_t waiting_limit{0}; // of the organization's reads, when the request is refused for that
    bool run_begun{false};
    std::shared_ptr<auth::principal const> who;
};

} // namespace recruiting::auth_api
