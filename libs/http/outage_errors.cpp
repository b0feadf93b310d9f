#include "http/outage_errors.hpp"

namespace recruiting::http {
namespace {

api_error with_message(error_code code, std::string message) {
    auto error = make_error(code);
    error.message = std::move(message);
    return error;
}

} // namespace

api_error not_forwarded() {
    return with_message(error_code::service_unavailable,
                        "The service is temporarily unavailable. The request was not forwarded to it, so nothing was "
                        "changed.");
}

api_error outcome_unknown_with_key() {
    return with_message(error_code::service_unavailable,
                        "The request may have taken effect: its outcome is unknown. It is safe to repeat it with the "
                        "same Idempotency-Key, which returns the outcome.");
}

api_error outcome_unknown_without_key() {
    return with_message(error_code::outcome_unknown,
                        "The request may have taken effect: its outcome is unknown. Look at what it changed before you "
                        "repeat it.");
}

} // namespace recruiting::http
