// One JSON line a request on standard output. Never a query, a credential or a token.
#pragma once
#include "gateway/request_context.hpp"

#include <string>

namespace recruiting::gateway {

/// The line of a request that was answered (or not: status 0), with its newline.
void append_access_line(std::string& out, request_context const& x, timestamp now, std::chrono::microseconds duration);

/// Gives that line to the log.
void write_access_line(request_context const& x, std::chrono::steady_clock::time_point now);

} // namespace recruiting::gateway
