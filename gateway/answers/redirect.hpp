// What the redirecting listener answers: where the same resource is with TLS, and nothing else. Pure.
#pragma once
#include "gateway/http1/request.hpp"

#include <functional>
#include <string>

namespace recruiting::gateway {

/// Only to hosts we have a certificate for: a Host field that names another would send its reader anywhere.
[[nodiscard]] std::optional<refusal> judge_redirect(request_context const& x,
                                                    std::function<bool(std::string_view host)> const& serves);
/// 308 (RFC 9110 section 15.4.9) to the same host, path and query. port: TLS's.
void append_redirect(std::string& out, request_context& x, std::uint16_t port);

} // namespace recruiting::gateway
