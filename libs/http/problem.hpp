// The one place that turns an error into an answer (design: Conventions, Errors): the API's envelope, or RFC 9457 when
// the client accepts application/problem+json. Only public text leaves.
#pragma once
#include "core/error.hpp"
#include "http/message.hpp"

#include <string>
#include <string_view>

namespace recruiting::http {

/// accept: the request's Accept field. Gives the first 20 details at most, in a body of at most 16 KiB.
[[nodiscard]] response problem_response(api_error const& error, std::string_view request_id, std::string_view accept);

} // namespace recruiting::http
