// Where Redis is, and who we are there: RECRUITING_REDIS_URL. Pure.
#pragma once
#include "core/settings.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace recruiting::redis {

struct address {
    endpoint where{"127.0.0.1", 6379, {}};
    std::string user;     // empty: the default user
    std::string password; // empty: no AUTH
    int database{0};
    bool operator==(address const&) const = default;
};

/// "redis://[[user]:password@]host[:port][/database]" or "unix:///path[?db=N]" (also "unix:/path"). User and password
/// are percent-decoded. nullopt: anything else.
[[nodiscard]] std::optional<address> parse_address(std::string_view url);
/// Without user and password: for the log.
[[nodiscard]] std::string to_string(address const& of);

} // namespace recruiting::redis
