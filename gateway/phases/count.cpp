#include "gateway/phases.hpp"
#include "gateway/session.hpp"

namespace recruiting::gateway {
namespace {

std::size_t policy_of(session const& s) noexcept { return static_cast<std::size_t>(s.request.to->policy()); }

rate_limit::client_key counted_client(session const& s) noexcept {
    return count_address(s.request.client, s.worker->settings.limits.ipv6_bits).bytes;
}

} // namespace

api_error over_limit(decision const& count) {
    auto error = make_error(error_code::rate_limited);
    error.retry_after_seconds = count.seconds_left;
    error.details.push_back(
        {"limit", std::string(count.name), "gateway", "This client has reached the limit of requests per window."});
    return error;
}

bool is_counted(client_request const& request) noexcept {
    if (request.to == nullptr || request.to->is_documents) return false;
    bool const preflight = request.head.method == "OPTIONS" && request.head.fields.has(field_id::origin) &&
                           request.head.fields.has(field_id::access_control_request_method);
    return !(request.to->open_to_browsers && preflight);
}

std::optional<refusal> count_in_total(session& s) {
    auto const over = s.worker->count_in_total(s.request.client);
    if (!over) return std::nullopt;
    s.worker->counters.rate_limit.total.count(*over);
    if (over->shadow) return std::nullopt;
    s.request.count = over;
    return refusal{over_limit(*over), true};
}

bool count_at_once(session& s) {
    auto const& limits = s.worker->settings.limits;
    if (!limits.counts() || s.kind.redirects || !is_counted(s.request)) return true;
    auto const known = s.worker->rate_limiter.at_once(policy_of(s), counted_client(s), s.worker->time.now());
    if (known) take_count(s, *known);
    return known.has_value();
}

task<rate_limit::count> count_in_batch(session& s) {
    if (s.serving) begin_count_span(s);
    auto const start = [&s](completion<rate_limit::count> resume) {
        s.worker->rate_limiter.join(policy_of(s), counted_client(s), s.worker->time.now(), std::move(resume));
    };
    return suspend<rate_limit::count>(s.worker->context.get_executor(), start);
}

void take_count(session& s, rate_limit::count const& counted) {
    auto const& limits = s.worker->settings.limits;
    s.request.count =
        evaluate(counted, limits.limit_of(s.request.to->policy()), limits.window_seconds, limits.shadow());
    s.worker->counters.rate_limit.by_policy[policy_of(s)].count(*s.request.count);
}

} // namespace recruiting::gateway
