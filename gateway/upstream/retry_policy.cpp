#include "gateway/upstream/retry_policy.hpp"

#include "http/outage_errors.hpp"

namespace recruiting::gateway {
namespace {

bool is_safe(std::string_view method) noexcept { return method == "GET" || method == "HEAD"; }

} // namespace

bool is_repeatable(request_context const& x) noexcept {
    auto const method = x.head.method;
    if (is_safe(method) || method == "OPTIONS" || method == "PUT" || method == "DELETE") return true;
    return method == "POST" && x.to != nullptr && x.to->takes_credentials() &&
           x.head.fields.has(field_id::idempotency_key);
}

loss_action after_loss(request_context const& x, loss const& what) noexcept {
    bool const safe = what.silent && !what.sent_before && is_safe(x.head.method);
    if (what.tries_left > 0 && !what.body_gone && (!what.sent || safe)) return loss_action::retry;
    bool const unsent = !what.sent && !what.sent_before;
    return unsent || is_repeatable(x) ? loss_action::unavailable : loss_action::outcome_unknown;
}

api_error error_after(request_context const& x, loss_action action, loss const& what) {
    if (action == loss_action::outcome_unknown) return http::outcome_unknown_without_key();
    if (!what.sent && !what.sent_before) return http::not_forwarded();
    if (x.head.method == "POST") return http::outcome_unknown_with_key();
    return make_error(error_code::service_unavailable);
}

} // namespace recruiting::gateway
