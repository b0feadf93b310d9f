// Whose request it is, behind proxies: for the services and the edge. Pure.
#pragma once
#include "core/ip.hpp"
#include "http/message.hpp"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace recruiting::http {

/// The socket's peer; when that is a trusted proxy, the last address of X-Forwarded-For that is not one. What does not
/// read as an address ends the walk: an attacker can put anything left of the first proxy's own entry.
/// forwarded_for: the values of the fields, in the order of the request.
[[nodiscard]] ip_address client_address(ip_address const& peer, std::span<std::string_view const> forwarded_for,
                                        std::vector<ip_network> const& trusted_proxies);
/// nullopt: the peer is not known.
[[nodiscard]] std::optional<ip_address> client_address(request const& req,
                                                       std::vector<ip_network> const& trusted_proxies);

} // namespace recruiting::http
