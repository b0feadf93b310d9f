// What a caller can cause comes back as result<T>; an outage or a bug throws.
// Errors carry public text (message, details) and internal text (log only): the answer is made from the public part
// alone, in http/problem.
#pragma once
#include <boost/system/result.hpp>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting {

/// The API's error codes (proto-docs/errors.md); to_string gives the wire form.
enum class error_code {
    invalid_request,
    credential_not_allowed,
    missing_credential,
    invalid_credential,
    credential_revoked,
    credential_expired,
    credential_inactive,
    wrong_environment,
    insufficient_scope,
    insufficient_role,
    organization_mismatch,
    ip_not_allowed,
    cross_site_request,
    not_found,
    method_not_allowed,
    request_timeout,
    organization_not_chosen,
    session_busy,
    slot_taken,
    booking_closed,
    payload_too_large,
    uri_too_long,
    unsupported_media_type,
    expectation_failed,
    headers_too_large,
    rate_limited,
    internal_error,
    outcome_unknown,
    not_implemented,
    service_unavailable,
    model_unavailable,
    version_not_supported,
};
inline constexpr auto last_error_code = error_code::version_not_supported;

[[nodiscard]] std::string_view to_string(error_code code) noexcept;
/// The HTTP status of a code (RFC 9110 section 15).
[[nodiscard]] unsigned http_status(error_code code) noexcept;
/// The sentence shown when the error has no message of its own.
[[nodiscard]] std::string_view default_message(error_code code) noexcept;

/// One problem of a request. location: query, header, path or body.
struct error_detail {
    std::string location;
    std::string field;
    std::string reason;
    std::string message;

    bool operator==(error_detail const&) const = default;
};

struct api_error {
    error_code code{error_code::internal_error};
    std::string message;               // public; empty: default_message(code)
    std::vector<error_detail> details; // public
    std::string allow;                 // method_not_allowed: the Allow field
    std::string required_scope;        // insufficient_scope: the scope in WWW-Authenticate
    int retry_after_seconds{0};        // > 0: the Retry-After field
};

[[nodiscard]] api_error make_error(error_code code);
[[nodiscard]] api_error invalid_request(std::vector<error_detail> details);
/// 429: a limit on requests was reached. reason says which one; seconds until it may be tried again, 1 at least.
[[nodiscard]] api_error rate_limited(std::string reason, std::int64_t seconds, std::string message);

template <class T>
using result = boost::system::result<T, api_error>;

/// A dependency (database, Redis, model) is unavailable or failed: answered with 503, written to the log.
class outage : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// value() on an error is a bug in the caller. Found by result<T> through api_error's namespace.
[[noreturn]] inline void throw_exception_from_error(api_error const& error, boost::source_location const&) {
    throw std::logic_error("result holds an error: " + error.message);
}

} // namespace recruiting
