// The request that exchanges a code for tokens, and its answer (RFC 6749 sections 4.1.3 and 5, OpenID Connect Core 1.0
// section 3.1.3). Pure.
#pragma once
#include "auth_api/console/oidc/callback.hpp"
#include "auth_api/console/oidc/provider_document.hpp"
#include "transfer/http_exchange.hpp"

#include <string>
#include <string_view>
#include <variant>

namespace recruiting::auth_api::oidc {

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
