// Where a service's instances are, as an operator writes it. Pure.
#pragma once
#include "core/settings.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::gateway {

struct service_address {
    endpoint where;                 // a host name stands for every address it resolves to
    std::optional<endpoint> health; // where it tells its readiness; without a host: that port of the address itself.
                                    // nullopt: it is ready when it can be connected to
    bool operator==(service_address const&) const = default;
};
using service_addresses = std::vector<service_address>;

/// "10.0.0.1:8081,[2001:db8::1]:8081,auth.internal:8081,unix:/run/auth.sock". Returns what is wrong, or nothing.
[[nodiscard]] std::optional<std::string> read_addresses(std::string_view text, service_addresses& out);
/// ":9081" for every address, or one entry an address in the same order. "" for none.
[[nodiscard]] std::optional<std::string> read_health_addresses(std::string_view text, service_addresses& out);
/// The text that read_addresses reads.
[[nodiscard]] std::string to_string(service_addresses const& list);

[[nodiscard]] bool is_name(endpoint const& where);

} // namespace recruiting::gateway
