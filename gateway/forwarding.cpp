#include "gateway/forwarding.hpp"

#include "http/problem.hpp"

namespace recruiting::gateway {
namespace {

constexpr unsigned most_calls = 2;

bool is_safe(std::string_view method) noexcept { return method == "GET" || method == "HEAD"; }

bool may_call_again(client_request const& request, forward_progress const& progress) noexcept {
    auto const& lost = progress.last;
    if (progress.calls >= most_calls || lost.body_gone) return false;
    return !lost.sent || (lost.silent && is_safe(request.head.method));
}

api_error too_many_uploads() {
    auto error = make_error(error_code::rate_limited);
    error.retry_after_seconds = 1;
    error.details.push_back(
        {"limit", "uploads", "gateway", "This client sends too many large request bodies at the same time."});
    return error;
}

api_error error_of_lost(client_request const& request, bool sent) {
    if (!sent) return http::not_forwarded();
    if (!is_repeatable(request)) return http::outcome_unknown_without_key();
    return request.head.method == "POST" ? http::outcome_unknown_with_key()
                                         : make_error(error_code::service_unavailable);
}

} // namespace

bool is_repeatable(client_request const& request) noexcept {
    auto const method = request.head.method;
    if (is_safe(method) || method == "OPTIONS" || method == "PUT" || method == "DELETE") return true;
    return method == "POST" && request.to != nullptr && request.to->takes_credentials() &&
           request.head.fields.has(field_id::idempotency_key);
}

forward_step next_step(client_request const& request, forward_progress const& progress) noexcept {
    switch (progress.outcome) {
    case forward_outcome::pending: break;
    case forward_outcome::answered:
    case forward_outcome::client_gone: return forward_step::done;
    default: return forward_step::refuse;
    }
    if (progress.awaits_body) return forward_step::await_body;
    if (!progress.has_permit) return forward_step::await_permit;
    bool const calls = progress.calls == 0 || may_call_again(request, progress);
    return calls ? forward_step::call : forward_step::refuse;
}

api_error error_of(client_request const& request, forward_progress const& progress) {
    switch (progress.outcome) {
    case forward_outcome::body_late: return make_error(error_code::request_timeout);
    case forward_outcome::body_too_large: return make_error(error_code::payload_too_large);
    case forward_outcome::body_malformed:
        return invalid_request({{"body", "", "invalid", "The body's chunks are not valid HTTP/1.1."}});
    case forward_outcome::trailers_too_large: return make_error(error_code::headers_too_large);
    case forward_outcome::too_many_uploads: return too_many_uploads();
    case forward_outcome::no_permit: return http::not_forwarded();
    default: return error_of_lost(request, progress.sent);
    }
}

} // namespace recruiting::gateway
