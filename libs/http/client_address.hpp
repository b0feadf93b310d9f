// Whose request it is, behind proxies. Pure.
#pragma once
#include "core/ip.hpp"
#include "http/message.hpp"

#include <optional>
#include <vector>

namespace recruiting::http {

/// The socket's peer; when that is a trusted proxy, the last address of X-Forwarded-For that is not one. What does not
/// read as an address ends the walk: an attacker can put anything left of the first proxy's own entry.
[[nodiscard]] std::optional<ip_address> client_address(request const& req,
                                                       std::vector<ip_network> const& trusted_proxies);

} // namespace recruiting::http
