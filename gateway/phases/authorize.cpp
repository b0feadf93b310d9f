#include "gateway/answers/answer.hpp"
#include "gateway/answers/credential_exposure.hpp"
#include "gateway/phases.hpp"
#include "gateway/session.hpp"
#include "http/problem.hpp"

#include <algorithm>
#include <array>

namespace recruiting::gateway {
namespace {

refusal refuse(error_code code) { return {make_error(code), false}; }

std::size_t policy_of(session const& s) noexcept { return static_cast<std::size_t>(s.x.to->policy()); }

rate_limit::client_key counted_client(session const& s) noexcept {
    return count_address(s.x.client, s.by.settings.limits.ipv6_bits).bytes;
}

} // namespace

bool is_forwarded(std::string_view method) noexcept {
    constexpr std::array known = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"};
    return std::find(known.begin(), known.end(), method) != known.end();
}

api_error over_limit(decision const& count) {
    auto error = make_error(error_code::rate_limited);
    error.retry_after_seconds = count.seconds_left;
    error.details.push_back(
        {"limit", std::string(count.name), "gateway", "This client has reached the limit of requests per window."});
    return error;
}

std::optional<refusal> admit(request_context const& x, gateway_settings const& settings) {
    if (x.to == nullptr) return refuse(error_code::not_found);
    if (x.head.method == "TRACE") {
        auto refused = refuse(error_code::method_not_allowed);
        refused.error.allow = x.to->is_documents ? methods_of_documents : allowed_methods;
        return refused;
    }
    if (!is_forwarded(x.head.method)) return refuse(error_code::not_implemented);
    auto const limit = settings.body_limits[static_cast<std::size_t>(x.to->to)];
    if (x.body.type == framing::kind::length && x.body.length > static_cast<std::uint64_t>(limit))
        return refuse(error_code::payload_too_large);
    if (x.to->takes_credentials()) return std::nullopt;
    auto const exposed = find_exposure(x.head);
    if (!exposed) return std::nullopt;
    return refusal{http::key_not_allowed(exposed->location), false, exposed};
}

std::optional<refusal> authorize(session const& s) {
    if (s.x.count && !s.x.count->allowed) return refusal{over_limit(*s.x.count), false};
    if (s.kind.redirects)
        return check_redirect(s.x, [&s](std::string_view host) { return s.by.shared.tls->serves(host); });
    if (ends_here(s.x) || leads_home(s.x, s.by.settings)) return std::nullopt;
    return admit(s.x, s.by.settings);
}

bool is_counted(request_context const& x) noexcept {
    if (x.to == nullptr || x.to->is_documents) return false;
    bool const preflight = x.head.method == "OPTIONS" && x.head.fields.has(field_id::origin) &&
                           x.head.fields.has(field_id::access_control_request_method);
    return !(x.to->open_to_browsers && preflight);
}

std::optional<refusal> count_in_total(session& s) {
    auto const over = s.by.count_in_total(s.x.client);
    if (!over) return std::nullopt;
    s.by.counters.rate_limit.total.count(*over);
    if (over->shadow) return std::nullopt;
    s.x.count = over;
    return refusal{over_limit(*over), true};
}

bool count_at_once(session& s) {
    auto const& limits = s.by.settings.limits;
    if (!limits.counts() || s.kind.redirects || !is_counted(s.x)) return true;
    auto const known = s.by.rate_limiter.at_once(policy_of(s), counted_client(s), s.by.time.now());
    if (known) take_count(s, *known);
    return known.has_value();
}

task<rate_limit::count> count_in_batch(session& s) {
    if (s.serving) begin_count_span(s);
    auto const start = [&s](completion<rate_limit::count> resume) {
        s.by.rate_limiter.join(policy_of(s), counted_client(s), s.by.time.now(), std::move(resume));
    };
    return suspend<rate_limit::count>(s.by.context.get_executor(), start);
}

void take_count(session& s, rate_limit::count const& counted) {
    auto const& limits = s.by.settings.limits;
    s.x.count = evaluate(counted, limits.limit_of(s.x.to->policy()), limits.window_seconds, limits.shadow());
    s.by.counters.rate_limit.by_policy[policy_of(s)].count(*s.x.count);
}

} // namespace recruiting::gateway
