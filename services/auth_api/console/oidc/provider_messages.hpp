// What is exchanged with an OpenID Connect provider, beside the tokens: its discovery document
// (/.well-known/openid-configuration, OpenID Connect Discovery 1.0), the request that exchanges a code for tokens, and
// the answer to it (RFC 6749 sections 4.1.3 and 5, OpenID Connect Core 1.0 section 3.1.3). Pure.
#pragma once
#include "auth_api/console/oidc/flow.hpp"
#include "transfer/http_exchange.hpp"

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

/// Why a sign-in ended at the provider. The page gets the code, the log the detail.
struct sign_in_problem {
    sign_in_outcome code;
    std::string detail;
};

struct token_answer {
    std::string id_token;
    std::string access_token; // "": none that is fit for a header
};

[[nodiscard]] transfer::http_request token_request(provider_document const& document, oidc_settings const& config,
                                                   flow const& begun, std::string_view code,
                                                   std::string_view redirect_uri);
[[nodiscard]] std::variant<sign_in_problem, token_answer> read_token_answer(transfer::http_result const& result);

} // namespace recruiting::auth_api::oidc
