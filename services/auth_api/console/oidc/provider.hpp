// The OpenID Connect provider over HTTP: discovery document and keys, kept in memory, and the exchange of a code for
// the claims about a person. One per thread.
#pragma once
#include "async/ticker.hpp"
#include "auth_api/console/oidc/id_token.hpp"
#include "auth_api/console/oidc/provider_messages.hpp"

#include <memory>
#include <optional>
#include <string>
#include <variant>

namespace recruiting::auth_api::oidc {

class provider {
public:
    /// config outlives it.
    provider(asio::io_context& context, oidc_settings const& config) : engine_(context), config_(config) {}

    using document_ptr = std::shared_ptr<provider_document const>;
    /// An older document serves while a newer one can't be had. nullptr: there is none. Throws nothing.
    [[nodiscard]] task<document_ptr> find_document();
    /// Exchanges the code (OpenID Connect Core 1.0 section 3.1.3), reads the ID Token and, where that names no e-mail
    /// address, UserInfo.
    [[nodiscard]] task<std::variant<sign_in_problem, person_claims>>
    identify(provider_document const& document, flow const& begun, std::string code, std::string public_url);

private:
    using keys_ptr = std::shared_ptr<jose::key_set const>;
    using deadline = coarse_clock::time_point;
    enum class freshness { usual, newest };

    [[nodiscard]] task<transfer::http_result> send(transfer::http_request request, deadline by);
    [[nodiscard]] task<keys_ptr> find_keys(std::string uri, freshness wanted, deadline by);
    [[nodiscard]] task<std::variant<sign_in_problem, person_claims>>
    check_token(provider_document const& document, flow const& begun, token_answer const& answer, deadline by);
    [[nodiscard]] task<std::variant<sign_in_problem, person_claims>>
    ask_userinfo(std::string url, std::string access_token, person_claims known, deadline by);

    transfer::engine engine_;
    oidc_settings const& config_;
    document_ptr document_;
    deadline document_until_{};
    deadline document_retry_{};
    keys_ptr keys_;
    std::string keys_uri_;
    deadline keys_until_{};
    std::optional<deadline> keys_asked_;
    int reading_{0};
    int identifying_{0};
};

} // namespace recruiting::auth_api::oidc
