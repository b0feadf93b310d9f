// Which receivers webhooks may have (proto-docs/webhooks.md). Pure.
#pragma once
#include "core/ip.hpp"
#include "core/settings.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::directory {

/// What an operator lets the organizations' admins call.
struct receiver_rules {
    bool http{false};                             // without TLS: for tests
    std::vector<std::uint16_t> ports{443, 8'443}; // none: any
    std::vector<ip_network> networks;             // inside, and called all the same

    /// Addresses of the Internet, and of those networks.
    [[nodiscard]] bool allow(ip_address const& address) const noexcept;
};
void declare(settings_reader& reader, receiver_rules& target);

/// Why this is no address of a receiver: no https URL, a user or a fragment in it, another port, or a host that is
/// plainly inside. Names are not resolved: the address they lead to is checked when it is connected to.
[[nodiscard]] std::optional<std::string> wrong_receiver(std::string_view url, receiver_rules const& rules);

} // namespace recruiting::directory
