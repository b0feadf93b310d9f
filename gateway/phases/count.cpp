#include "gateway/phases.hpp"
#include "gateway/session.hpp"

namespace recruiting::gateway {

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
    if (!s.by.settings.limits.counts() || s.kind.redirects || !is_counted(s.x)) return true;
    s.x.count = s.by.rate_limiter.at_once(*s.x.to, s.x.client);
    return s.x.count.has_value();
}

task<decision> count_in_batch(session& s) {
    if (s.serving) begin_count_span(s);
    return s.by.rate_limiter.in_batch(*s.x.to, s.x.client);
}

} // namespace recruiting::gateway
