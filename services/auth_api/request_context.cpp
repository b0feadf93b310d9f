#include "auth_api/request_context.hpp"

#include "core/redact.hpp"
#include "core/text.hpp"
#include "http/loggable_path.hpp"
#include "http/problem.hpp"
#include "interviews/bookings.hpp"
#include "interviews/interviews.hpp"

namespace recruiting::auth_api {
namespace {

constexpr std::size_t longest_user_agent = 256;

std::string policy_of(std::string const& name, settings const& config, std::int64_t waiting_limit) {
    if (name == "sign_in_client") return std::to_string(config.console.links_per_client) + ";w=3600";
    if (name == "invitations") return std::to_string(config.console.invitations_per_organization) + ";w=3600";
    if (name == "booking_changes") return std::to_string(interviews::most_links_per_hour) + ";w=3600";
    if (name == "slots") return std::to_string(interviews::most_opened_per_hour) + ";w=3600";
    auto quota = waiting_limit > 0 ? waiting_limit : config.queues.waiting_reads;
    if (name == "agent_runs") quota = config.agent.runs_per_organization;
    return std::to_string(quota) + R"(;qu="concurrent-requests")";
}

} // namespace

std::string user_agent_of(http::request const& req) {
    return redact_secrets(printable(req.header("User-Agent"), longest_user_agent));
}

auth::request_facts facts_of(http::request const& req, std::optional<ip_address> const& client) {
    auth::request_facts out;
    out.client = client;
    auto const organizations = req.header_count("Service-Organization");
    if (organizations > 0) out.service_organization = req.header("Service-Organization");
    out.service_organization_repeated = organizations > 1;
    return out;
}

std::string cookies_of(http::request const& req) {
    std::string out;
    for (auto const& [name, value] : req.headers)
        if (iequals(name, "Cookie")) out.append(out.empty() ? "" : "; ").append(value);
    return out;
}

audit::event request_row(request_context const& of, unsigned status) {
    auto const& by = *of.principal;
    audit::event row;
    row.id = new_record_id(of.started_at);
    row.occurred_at = of.started_at;
    row.organization_id = by.organization_id;
    if (by.kind == auth::principal_kind::api_key) {
        row.credential_id = by.credential_id;
        row.credential_name = by.credential_name;
        row.action = "api.request";
    } else {
        row.actor_type = "member";
        row.action = "console.request";
    }
    row.actor_member_id = by.member_id;
    row.actor_email = by.member_email;
    row.actor_role = to_string(by.role);
    row.method = printable(of.req.method, 32);
    row.endpoint = of.audited_as.empty() ? of.endpoint() : std::string_view(of.audited_as);
    row.path = http::loggable_path(of.req.path);
    row.status_code = static_cast<int>(status);
    row.success = status < 400 && of.error.empty();
    row.error_code = of.error;
    if (of.client) row.ip_address = to_string(*of.client);
    row.user_agent = user_agent_of(of.req);
    row.request_id = of.request_id;
    row.credential_refused = !auth::is_accepted(by, of.client);
    row.required_scope = of.required_scope;
    row.session_id = of.session_id;
    row.correlation_id = of.run_id;
    row.duration_ms = std::chrono::duration_cast<std::chrono::milliseconds>(of.elapsed()).count();
    return row;
}

api_error error_of_outage(http::request const& req, bool has_acted) {
    if (!has_acted) return make_error(error_code::service_unavailable);
    bool const repeatable = req.header_count("Idempotency-Key") > 0;
    return repeatable ? http::outcome_unknown_with_key() : http::outcome_unknown_without_key();
}

http::response refusal_response(api_error const& error, std::string_view request_id, std::string_view accept,
                                settings const& config, std::int64_t waiting_limit) {
    auto answered = http::problem_response(error, request_id, accept);
    if (error.code != error_code::rate_limited) return answered;
    auto const& name = error.details.front().reason;
    answered.add("RateLimit-Policy", '"' + name + R"(";q=)" + policy_of(name, config, waiting_limit));
    answered.add("RateLimit", '"' + name + R"(";r=0;t=)" + std::to_string(error.retry_after_seconds));
    return answered;
}

} // namespace recruiting::auth_api
