// The address of Redis and the login there: RECRUITING_REDIS_URL. Pure.
#pragma once
#include "core/settings.hpp"
#include "crypto/tls_client.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::redis {

struct login {
    std::string user;     // empty: the default user
    std::string password; // empty: no AUTH
    bool operator==(login const&) const = default;
};

struct address {
    endpoint where{"127.0.0.1", 6379, {}}; // of no use when there are Sentinels
    login as{};
    int database{0};
    std::vector<endpoint> sentinels{}; // not empty: they know which Redis is the master
    std::string service{};             // what the Sentinels call it
    login at_sentinels{};
    bool is_encrypted{false}; // TLS to Redis and to the Sentinels, with these files
    tls_client_settings tls{{}, {}, {}, /*offers_http*/ false};
    bool operator==(address const&) const = default;
};

/// What parse_address takes, for help and error texts.
inline constexpr std::string_view address_forms =
    "redis://[[user:]password@]host[:port][/db], unix:///path[?db=N] or "
    "sentinel://[[user:]password@]host[:port][,host[:port]]…/service[/db][?sentinel_user=U&sentinel_password=P]; over "
    "TLS rediss:// and sentinels://";

/// nullopt: none of address_forms. User, password, service and the query's values are percent-decoded; "unix:/path" is
/// taken too. Ports are 6379, of Sentinels 26379, unless given.
[[nodiscard]] std::optional<address> parse_address(std::string_view url);
/// Reads a setting's URL into `out`, which keeps its TLS files. Returns what is wrong, or nothing.
[[nodiscard]] std::optional<std::string> read_address(std::string_view url, address& out);
/// Without users and passwords: for the log.
[[nodiscard]] std::string to_string(address const& of);

} // namespace recruiting::redis
