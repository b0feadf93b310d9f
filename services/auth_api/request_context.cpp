#include "auth_api/request_context.hpp"

#include "auth_api/request_row.hpp"

namespace recruiting::auth_api {
request_context::request_context(http::request const& request, tracing::tracer const& tracer,
                                 std::vector<ip_network> const& trusted_proxies)
    : http::request_context<bind_function>(request, routes(), find_route(request.method, request.path), tracer,
                                           trusted_proxies),
      required_scope(route.found == nullptr ? std::string_view() : route.found->scope) {}

auth::request_facts request_context::facts() const { return facts_of(req, client); }

std::string request_context::user_agent() const { return user_agent_of(req); }

audit::event request_context::audit_row(unsigned status) const {
    auto row = request_row(audited(*this), *principal, status, error);
    row.required_scope = required_scope;
    row.session_id = session_id;
    row.correlation_id = run_id;
    return row;
}

} // namespace recruiting::auth_api
