#include "auth_api/console/oidc/provider_document.hpp"

#include "core/url.hpp"
#include "jose/jws.hpp"

#include <algorithm>
#include <boost/json/value.hpp>

namespace recruiting::auth_api::oidc {
namespace {

namespace json = boost::json;

// A list of texts that the document may lack: then `otherwise`.
bool lists(json::object const& document, std::string_view name, std::string_view wanted, bool otherwise) {
    auto const* const value = document.if_contains(name);
    if (value == nullptr) return otherwise;
    if (!value->is_array()) return false;
    return std::ranges::any_of(value->get_array(), [&](json::value const& one) {
        return one.is_string() && std::string_view(one.get_string()) == wanted;
    });
}

// nullopt: the member is not there, or no URL of a provider.
std::optional<std::string> url_member(json::object const& document, std::string_view name) {
    auto url = jose::text_member(document, name);
    return url && !provider_url_problem(*url) ? url : std::nullopt;
}

bool is_true(json::object const& document, std::string_view name) {
    auto const* const value = document.if_contains(name);
    return value != nullptr && value->is_bool() && value->get_bool();
}

// Which of the two ways (OpenID Connect Core 1.0 section 9) carries the client's secret. nullopt: neither.
std::optional<bool> secret_in_header(json::object const& document, bool has_secret) {
    constexpr std::string_view methods = "token_endpoint_auth_methods_supported";
    if (!has_secret || lists(document, methods, "client_secret_basic", true)) return true;
    if (lists(document, methods, "client_secret_post", false)) return false;
    return std::nullopt;
}

} // namespace

std::string document_url(std::string_view issuer) { return url_below(issuer, "/.well-known/openid-configuration"); }

std::variant<std::string, provider_document> read_provider_document(std::string_view body,
                                                                    oidc_settings const& config) {
    auto const document = jose::parse_object(body);
    if (!document) return "the discovery document is no JSON object";
    if (jose::text_member(*document, "issuer") != config.issuer) return "the discovery document names another issuer";
    auto const authorization = url_member(*document, "authorization_endpoint");
    auto const token = url_member(*document, "token_endpoint");
    auto const keys = url_member(*document, "jwks_uri");
    if (!authorization || !token || !keys) return "the discovery document lacks an https endpoint";
    bool const has_userinfo = document->contains("userinfo_endpoint");
    auto const userinfo = url_member(*document, "userinfo_endpoint");
    if (has_userinfo && !userinfo) return "the discovery document's userinfo_endpoint is not https";
    if (!lists(*document, "response_types_supported", "code", false)) return "the provider does not support code";
    if (!lists(*document, "code_challenge_methods_supported", "S256", true))
        return "the provider does not support S256";
    auto const in_header = secret_in_header(*document, !config.client_secret.empty());
    if (!in_header) return "the provider supports neither client_secret_basic nor client_secret_post";
    return provider_document{*authorization,
                             *token,
                             *keys,
                             userinfo.value_or(""),
                             is_true(*document, "authorization_response_iss_parameter_supported"),
                             *in_header};
}

} // namespace recruiting::auth_api::oidc
