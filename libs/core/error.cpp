#include "core/error.hpp"

#include <utility>

namespace recruiting {

std::string_view to_string(error_code code) noexcept {
    switch (code) {
    case error_code::invalid_request: return "invalid_request";
    case error_code::credential_not_allowed: return "credential_not_allowed";
    case error_code::missing_credential: return "missing_credential";
    case error_code::invalid_credential: return "invalid_credential";
    case error_code::credential_revoked: return "credential_revoked";
    case error_code::credential_expired: return "credential_expired";
    case error_code::credential_inactive: return "credential_inactive";
    case error_code::wrong_environment: return "wrong_environment";
    case error_code::insufficient_scope: return "insufficient_scope";
    case error_code::insufficient_role: return "insufficient_role";
    case error_code::organization_mismatch: return "organization_mismatch";
    case error_code::ip_not_allowed: return "ip_not_allowed";
    case error_code::not_found: return "not_found";
    case error_code::method_not_allowed: return "method_not_allowed";
    case error_code::request_timeout: return "request_timeout";
    case error_code::session_busy: return "session_busy";
    case error_code::slot_taken: return "slot_taken";
    case error_code::booking_closed: return "booking_closed";
    case error_code::payload_too_large: return "payload_too_large";
    case error_code::uri_too_long: return "uri_too_long";
    case error_code::unsupported_media_type: return "unsupported_media_type";
    case error_code::expectation_failed: return "expectation_failed";
    case error_code::headers_too_large: return "headers_too_large";
    case error_code::rate_limited: return "rate_limited";
    case error_code::internal_error: return "internal_error";
    case error_code::outcome_unknown: return "outcome_unknown";
    case error_code::not_implemented: return "not_implemented";
    case error_code::service_unavailable: return "service_unavailable";
    case error_code::model_unavailable: return "model_unavailable";
    case error_code::version_not_supported: return "version_not_supported";
    }
    return "internal_error";
}

unsigned http_status(error_code code) noexcept {
    switch (code) {
    case error_code::invalid_request:
    case error_code::credential_not_allowed: return 400;
    case error_code::missing_credential:
    case error_code::invalid_credential:
    case error_code::credential_revoked:
    case error_code::credential_expired:
    case error_code::credential_inactive:
    case error_code::wrong_environment: return 401;
    case error_code::insufficient_scope:
    case error_code::insufficient_role:
    case error_code::organization_mismatch:
    case error_code::ip_not_allowed: return 403;
    case error_code::not_found: return 404;
    case error_code::method_not_allowed: return 405;
    case error_code::request_timeout: return 408;
    case error_code::session_busy: return 409;
    case error_code::slot_taken: return 409;
    case error_code::booking_closed: return 409;
    case error_code::payload_too_large: return 413;
    case error_code::uri_too_long: return 414;
    case error_code::unsupported_media_type: return 415;
    case error_code::expectation_failed: return 417;
    case error_code::headers_too_large: return 431;
    case error_code::rate_limited: return 429;
    case error_code::internal_error:
    case error_code::outcome_unknown: return 500;
    case error_code::not_implemented: return 501;
    case error_code::service_unavailable:
    case error_code::model_unavailable: return 503;
    case error_code::version_not_supported: return 505;
    }
    return 500;
}

std::string_view default_message(error_code code) noexcept {
    switch (code) {
    case error_code::invalid_request: return "The request is not valid.";
    case error_code::credential_not_allowed: return "An API key must never be sent to the public API.";
    case error_code::missing_credential: return "Send an API key as bearer token in the Authorization header.";
    case error_code::invalid_credential: return "The credential is not valid.";
    case error_code::credential_revoked: return "The API key has been revoked.";
    case error_code::credential_expired: return "The API key has expired.";
    case error_code::credential_inactive: return "The API key's owner is not a member of the organization now.";
    case error_code::wrong_environment: return "The API key belongs to another environment.";
    case error_code::insufficient_scope: return "The API key lacks the scope this endpoint needs.";
    case error_code::insufficient_role: return "The role of the API key's owner does not allow this.";
    case error_code::organization_mismatch:
        return "Service-Organization names another organization than the API key's.";
    case error_code::ip_not_allowed: return "The API key may not be used from this address.";
    case error_code::not_found: return "There is nothing here.";
    case error_code::method_not_allowed: return "The method is not allowed here.";
    case error_code::request_timeout: return "The request did not arrive in time.";
    case error_code::session_busy:
        return "A run of this session is still going on. Poll the session until it has ended, then invoke again as a "
               "new request.";
    case error_code::slot_taken: return "That time has just been taken. Choose another.";
    case error_code::booking_closed: return "The interview has begun: it can't be changed here any more.";
    case error_code::payload_too_large: return "The request body is too large.";
    case error_code::uri_too_long: return "The request target is too long.";
    case error_code::unsupported_media_type: return "The content type of the request is not supported.";
    case error_code::expectation_failed: return "Only 100-continue can be expected.";
    case error_code::headers_too_large: return "The request's header fields are too large.";
    case error_code::rate_limited: return "Too many requests.";
    case error_code::internal_error: return "Something went wrong on our side.";
    case error_code::outcome_unknown:
        return "The connection was lost after the request was sent; its outcome is unknown.";
    case error_code::not_implemented: return "The method or the transfer coding is not known here.";
    case error_code::service_unavailable: return "The service is temporarily unavailable.";
    case error_code::model_unavailable: return "The model is not available for the moment. Nothing was run.";
    case error_code::version_not_supported: return "Only HTTP/1.1 and HTTP/1.0 are spoken here.";
    }
    return "";
}

api_error make_error(error_code code) {
    api_error error;
    error.code = code;
    if (code == error_code::service_unavailable || code == error_code::model_unavailable) error.retry_after_seconds = 1;
    return error;
}

api_error invalid_request(std::vector<error_detail> details) {
    auto error = make_error(error_code::invalid_request);
    error.details = std::move(details);
    return error;
}

} // namespace recruiting
