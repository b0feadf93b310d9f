// Finds an API key that was sent where none may be (specification: Public API, rule 3). Pure.
#pragma once
#include "core/error.hpp"
#include "core/ip.hpp"
#include "http/message.hpp"

#include <optional>
#include <string>
#include <vector>

namespace recruiting::public_api {

struct exposed_key {
    std::string secret; // for the report alone: never answered, never logged
    std::string place;  // a field's name, "header" for one that is the key, "query" or "path"
    std::string method; // of the request that had it
    /// It names the place and never the value. The same for every key, real or made up.
    [[nodiscard]] api_error refusal() const;
};

/// The first thing shaped like a key's secret in a field or in the target, percent-encoded or not. What a gateway
/// (a trusted proxy) tells of a request it refused itself comes before all else.
[[nodiscard]] std::optional<exposed_key> find_exposed_key(http::request const& req,
                                                          std::vector<ip_network> const& trusted_proxies);

} // namespace recruiting::public_api
