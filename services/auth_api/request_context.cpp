#include "auth_api/request_context.hpp"

#include "core/redact.hpp"

namespace recruiting::auth_api {
namespace {

constexpr std::size_t longest_user_agent = 256;
constexpr std::size_t longest_path = 512;

} // namespace

request_context::request_context(http::request const& request, tracing::tracer const& tracer,
                                 std::vector<ip_network> const& trusted_proxies)
    : http::request_context<bind_function>(request, routes(), find_route(request.method, request.path), tracer,
                                           trusted_proxies),
      required_scope(route.found == nullptr ? std::string_view() : route.found->scope) {}

auth::request_facts request_context::facts() const {
    auth::request_facts out;
    out.client = client;
    auto const organizations = req.header_count("Service-Organization");
    if (organizations > 0) out.service_organization = req.header("Service-Organization");
    out.service_organization_repeated = organizations > 1;
    return out;
}

std::string request_context::user_agent() const {
    return redact_secrets(printable(req.header("User-Agent"), longest_user_agent));
}

audit::event request_context::audit_row(unsigned status) const {
    audit::event row;
    row.id = new_record_id(started_at);
    row.occurred_at = started_at;
    row.organization_id = principal->organization_id;
    row.credential_id = principal->credential_id;
    row.credential_name = principal->credential_name;
    row.actor_member_id = principal->member_id;
    row.actor_email = principal->member_email;
    row.actor_role = to_string(principal->role);
    row.action = "api.request";
    row.method = printable(req.method, 32);
    row.endpoint = endpoint();
    row.path = redact_secrets(printable(req.path, longest_path));
    row.status_code = static_cast<int>(status);
    row.success = status < 400 && error.empty();
    row.error_code = error;
    row.required_scope = required_scope;
    if (client) row.ip_address = to_string(*client);
    row.user_agent = user_agent();
    row.request_id = request_id;
    row.session_id = session_id;
    row.correlation_id = run_id;
    row.credential_refused = !auth::is_accepted(*principal, client);
    row.duration_ms = std::chrono::duration_cast<std::chrono::milliseconds>(elapsed()).count();
    return row;
}

} // namespace recruiting::auth_api
