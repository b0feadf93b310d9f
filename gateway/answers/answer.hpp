// The edge's own answers: the API's envelope or RFC 9457, with CORS on the public prefix (design: Public API). Pure.
#pragma once
#include "core/error.hpp"
#include "gateway/request_context.hpp"

#include <string>
#include <string_view>

namespace recruiting::gateway {

/// Appends head and body, and notes the status in x. x.keep_alive decides the Connection field.
void append_answer(std::string& out, api_error const& error, request_context& x);

/// 204 with Allow: to OPTIONS that ends at the edge.
void append_options_answer(std::string& out, request_context& x);

} // namespace recruiting::gateway
