// The gateway's own answers: the API's envelope or RFC 9457, with CORS on the public prefix. Pure.
#pragma once
#include "core/error.hpp"
#include "gateway/client_request.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace recruiting::gateway {

/// Appends head and body, and notes the status in request. request.keep_alive decides the Connection field.
void append_answer(std::string& out, api_error const& error, client_request& request);

/// 204 with Allow: to OPTIONS that ends at the gateway.
void append_options_answer(std::string& out, client_request& request);

/// 302 from / to the operator's home page. home: a path or an absolute URL.
void append_home_redirect(std::string& out, client_request& request, std::string_view home);

/// Only to hosts we have a certificate for: a Host field that names another would send its reader anywhere.
[[nodiscard]] std::optional<refusal> check_redirect(client_request const& request,
                                                    std::function<bool(std::string_view host)> const& serves);
/// 308 (RFC 9110 section 15.4.9) to the same host, path and query. port: TLS's.
void append_redirect(std::string& out, client_request& request, std::uint16_t port);

} // namespace recruiting::gateway
