// What an OpenID Connect provider says of itself: /.well-known/openid-configuration (OpenID Connect Discovery 1.0).
// Pure.
#pragma once
#include "auth_api/console/oidc/oidc_settings.hpp"

#include <string>
#include <string_view>
#include <variant>

namespace recruiting::auth_api::oidc {

struct provider_document {
    std::string authorization_endpoint;
    std::string token_endpoint;
    std::string keys_uri;
    std::string userinfo_endpoint;     // empty: none
    bool announces_issuer{false};      // every response carries iss (RFC 9207)
    bool takes_secret_in_header{true}; // client_secret_basic; else client_secret_post
};

/// "https://id.example.com/.well-known/openid-configuration"
[[nodiscard]] std::string document_url(std::string_view issuer);
/// The document, or what is wrong with it, for the log.
[[nodiscard]] std::variant<std::string, provider_document> read_provider_document(std::string_view body,
                                                                                  oidc_settings const& config);

} // namespace recruiting::auth_api::oidc
