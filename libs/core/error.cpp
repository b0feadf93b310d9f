#include "core/error.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace recruiting {
namespace {

struct row {
    error_code code;
    unsigned status;
    std::string_view name;
    std::string_view message;
};

// In the order of error_code.
constexpr auto rows = std::to_array<row>({
    {error_code::invalid_request, 400, "invalid_request", "The request is not valid."},
    {error_code::credential_not_allowed, 400, "credential_not_allowed",
     "An API key must never be sent to the public API."},
    {error_code::missing_credential, 401, "missing_credential",
     "Send an API key as bearer token in the Authorization header."},
    {error_code::invalid_credential, 401, "invalid_credential", "The credential is not valid."},
    {error_code::credential_revoked, 401, "credential_revoked", "The API key has been revoked."},
    {error_code::credential_expired, 401, "credential_expired", "The API key has expired."},
    {error_code::credential_inactive, 401, "credential_inactive",
     "The API key's owner is no longer a member of the organization."},
    {error_code::wrong_environment, 401, "wrong_environment", "The API key belongs to another environment."},
    {error_code::insufficient_scope, 403, "insufficient_scope",
     "The API key lacks the scope that this endpoint requires."},
    {error_code::insufficient_role, 403, "insufficient_role", "The role of the API key's owner does not allow this."},
    {error_code::organization_mismatch, 403, "organization_mismatch",
     "Service-Organization names another organization than the API key's or the session's."},
    {error_code::ip_not_allowed, 403, "ip_not_allowed", "The API key may not be used from this address."},
    {error_code::cross_site_request, 403, "cross_site_request",
     "The request did not come from the console's own pages."},
    {error_code::not_found, 404, "not_found", "Not found."},
    {error_code::method_not_allowed, 405, "method_not_allowed", "The method is not allowed for this path."},
    {error_code::request_timeout, 408, "request_timeout", "The request did not arrive in time."},
    {error_code::organization_not_chosen, 409, "organization_not_chosen",
     "No organization is selected for this session. Select one first."},
    {error_code::session_busy, 409, "session_busy",
     "A run of this session is still in progress. Poll the session until it has ended, then invoke again as a new "
     "request."},
    {error_code::slot_taken, 409, "slot_taken", "That time has just been taken. Choose another."},
    {error_code::booking_closed, 409, "booking_closed", "The interview has begun and can no longer be changed here."},
    {error_code::payload_too_large, 413, "payload_too_large", "The request body is too large."},
    {error_code::uri_too_long, 414, "uri_too_long", "The request target is too long."},
    {error_code::unsupported_media_type, 415, "unsupported_media_type",
     "The content type of the request is not supported."},
    {error_code::expectation_failed, 417, "expectation_failed", "The only supported expectation is 100-continue."},
    {error_code::headers_too_large, 431, "headers_too_large", "The request's header fields are too large."},
    {error_code::rate_limited, 429, "rate_limited", "Too many requests."},
    {error_code::internal_error, 500, "internal_error", "The server failed to process the request."},
    {error_code::outcome_unknown, 500, "outcome_unknown",
     "The connection was lost after the request was sent; its outcome is unknown."},
    {error_code::not_implemented, 501, "not_implemented", "The method or transfer coding is not supported."},
    {error_code::service_unavailable, 503, "service_unavailable", "The service is temporarily unavailable."},
    {error_code::model_unavailable, 503, "model_unavailable",
     "The agent's model is temporarily unavailable. This request started no run."},
    {error_code::version_not_supported, 505, "version_not_supported", "Only HTTP/1.1 and HTTP/1.0 are supported."},
});

constexpr bool has_row_for_each_code() {
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i].code != static_cast<error_code>(i)) return false;
    return rows.back().code == last_error_code;
}
static_assert(has_row_for_each_code());

row const& row_of(error_code code) noexcept {
    auto const index = static_cast<std::size_t>(code);
    return rows[index < rows.size() ? index : static_cast<std::size_t>(error_code::internal_error)];
}

} // namespace

std::string_view to_string(error_code code) noexcept { return row_of(code).name; }

unsigned http_status(error_code code) noexcept { return row_of(code).status; }

std::string_view default_message(error_code code) noexcept { return row_of(code).message; }

api_error make_error(error_code code) {
    api_error error;
    error.code = code;
    if (code == error_code::service_unavailable || code == error_code::model_unavailable) error.retry_after_seconds = 1;
    return error;
}

api_error rate_limited(std::string reason, std::int64_t seconds, std::string message) {
    auto error = make_error(error_code::rate_limited);
    error.retry_after_seconds = static_cast<int>(std::max<std::int64_t>(1, seconds));
    error.details.push_back({"limit", "requests", std::move(reason), std::move(message)});
    return error;
}

api_error invalid_request(std::vector<error_detail> details) {
    auto error = make_error(error_code::invalid_request);
    error.details = std::move(details);
    return error;
}

} // namespace recruiting
