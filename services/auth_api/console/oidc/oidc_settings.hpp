// The settings of sign-in by OpenID Connect (proto-docs/console.md), part of the console's.
#pragma once
#include "core/settings.hpp"

#include <chrono>
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
