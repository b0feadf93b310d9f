// The gateway's own answers: the API's envelope or RFC 9457, with CORS on the public prefix. Pure.
#pragma once
#include "core/error.hpp"
#include "gateway/request_context.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace recruiting::gateway {

/// Appends head and body, and notes the status in x. x.keep_alive decides the Connection field.
void append_answer(std::string& out, api_error const& error, request_context& x);

/// 204 with Allow: to OPTIONS that ends at the gateway.
void append_options_answer(std::string& out, request_context& x);

/// 302 from / to the operator's home page. home: a path or an absolute URL.
void append_home_redirect(std::string& out, request_context& x, std::string_view home);

/// Only to hosts we have a certificate for: a Host field that names another would send its reader anywhere.
[[nodiscard]] std::optional<refusal> check_redirect(request_context const& x,
                                                    std::function<bool(std::string_view host)> const& serves);
/// 308 (RFC 9110 section 15.4.9) to the same host, path and query. port: TLS's.
void append_redirect(std::string& out, request_context& x, std::uint16_t port);

} // namespace recruiting::gateway
