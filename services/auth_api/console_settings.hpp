// The settings of the console (proto-docs/console.md), part of auth-api's settings.
#pragma once
#include "auth_api/console/oidc/oidc_settings.hpp"
#include "core/settings.hpp"

#include <chrono>
#include <cstdint>
#include <string>

namespace recruiting::auth_api::console {

struct console_settings {
    std::string folder; // empty: no console is served
    std::chrono::milliseconds idle_expiry{std::chrono::hours{12}};
    std::chrono::milliseconds session_lifetime{std::chrono::hours{30 * 24}};
    oidc::oidc_settings oidc;

    // No settings.
    std::int64_t links_per_client{30};             // an hour, as the next: an office behind one address
    std::int64_t links_per_address{10};            // mails got lost; more would be a nuisance to the recipient
    std::int64_t invitations_per_organization{50}; // a department
    std::int64_t invitations_per_address{3};
    std::chrono::milliseconds link_interval{1'000}; // a fixed pace, whatever waits: nothing about a request shows in it
    std::int64_t change_threads{2};                 // changes are rare and take milliseconds

    [[nodiscard]] bool is_on() const noexcept { return !folder.empty(); }
};

void declare(settings_reader& reader, console_settings& target);

} // namespace recruiting::auth_api::console
