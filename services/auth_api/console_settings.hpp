// The settings of the console and of its sign-in by OpenID Connect (proto-docs/console.md), part of auth-api's
// settings.
#pragma once
#include "core/settings.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace recruiting::auth_api::oidc {

struct oidc_settings {
    std::string issuer; // empty: nobody signs in so
    std::string client_id;
    std::string client_secret; // empty: a public client
    std::string name{"OpenID Connect"};
    std::string scopes{"openid email"};
    bool trusts_email{false}; // without email_verified
    bool required{false};     // mailed links sign nobody in
    std::string ca_file;      // PEM; empty: the system's
    std::string proxy;        // empty: none

    // No settings.
    std::chrono::milliseconds timeout{10'000}; // of all requests of one sign-in: a person waits for them
    std::chrono::milliseconds refresh_interval{std::chrono::hours{1}}; // of discovery document and keys
    std::chrono::milliseconds key_pause{std::chrono::minutes{1}};      // between two looks for a key that is missing
    std::chrono::milliseconds failure_pause{5'000}; // between two attempts to read an unavailable discovery document

    [[nodiscard]] bool is_on() const noexcept { return !issuer.empty(); }
};

void declare(settings_reader& reader, oidc_settings& target);

/// What keeps this from being a URL of the provider: https, or http on this machine; a host; no user and no fragment.
/// nullopt: nothing.
[[nodiscard]] std::optional<std::string> provider_url_problem(std::string_view url);

} // namespace recruiting::auth_api::oidc

namespace recruiting::auth_api::console {

struct console_settings {
    std::string folder; // empty: no console is served
    std::chrono::milliseconds idle_expiry{std::chrono::hours{12}};
    std::chrono::milliseconds session_lifetime{std::chrono::hours{30 * 24}};
    oidc::oidc_settings oidc;

    // No settings.
    std::int64_t links_per_client{30};  // per hour: an office behind one address
    std::int64_t links_per_address{10}; // per hour: mails got lost; more would be a nuisance to the recipient
    std::int64_t invitations_per_organization{50}; // a department
    std::int64_t invitations_per_address{3};
    std::chrono::milliseconds link_interval{1'000}; // a fixed pace, whatever waits: nothing about a request shows in it
    std::int64_t change_threads{2};                 // changes are rare and take milliseconds

    [[nodiscard]] bool is_on() const noexcept { return !folder.empty(); }
};

void declare(settings_reader& reader, console_settings& target);

} // namespace recruiting::auth_api::console
