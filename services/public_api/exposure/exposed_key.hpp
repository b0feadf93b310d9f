// Finds an API key that was sent where none may be (specification: Public API, rule 3). Pure.
#pragma once
#include "core/ip.hpp"
#include "http/key_scan.hpp"
#include "http/message.hpp"

#include <optional>
#include <string>
#include <vector>

namespace recruiting::public_api {

struct sent_key {
    http::exposed_key key;
    std::string method; // of the request that had it
};

/// The first key in a field, the target or the body. The report of a gateway (a trusted proxy) on a request that it
/// refused itself comes before all else.
[[nodiscard]] std::optional<sent_key> find_exposed_key(http::request const& req,
                                                       std::vector<ip_network> const& trusted_proxies);

} // namespace recruiting::public_api
