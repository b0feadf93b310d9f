#include "auth_api/console/oidc/provider_messages.hpp"

#include "core/text.hpp"
#include "core/url.hpp"
#include "jose/jws.hpp"
#include "mail/encodings.hpp"

#include <algorithm>
#include <boost/json/value.hpp>

namespace recruiting::auth_api::oidc {
namespace {

namespace json = boost::json;

constexpr std::size_t longest_access_token = 16 * 1024;

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

// A code of RFC 6749 section 5.2, fit for the log: another text of the provider's is not.
std::string error_name(json::object const& answer) {
    auto const name = jose::text_member(answer, "error").value_or("");
    bool const fit = !name.empty() && name.size() <= 40 &&
                     std::ranges::all_of(name, [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
    return fit ? name : "";
}

// RFC 6750 section 2.1: what an Authorization field can carry.
bool is_bearer_token(std::string_view text) {
    return !text.empty() && text.size() <= longest_access_token && std::ranges::all_of(text, [](char c) {
        return is_alphanumeric(c) || std::string_view("-._~+/=").find(c) != std::string_view::npos;
    });
}

sign_in_problem refusal_of(transfer::http_answer const& answer) {
    auto const body = jose::parse_object(answer.body);
    auto const name = body ? error_name(*body) : std::string();
    bool const refused = answer.status == 400 || answer.status == 401 || answer.status == 403;
    return {refused ? sign_in_outcome::provider_rejected : sign_in_outcome::provider_unavailable,
            "token: status " + std::to_string(answer.status) + (name.empty() ? "" : " " + name)};
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

transfer::http_request token_request(provider_document const& document, oidc_settings const& config, flow const& begun,
                                     std::string_view code, std::string_view redirect_uri) {
    transfer::http_request out;
    out.method = transfer::http_request::verb::post;
    out.url = document.token_endpoint;
    out.headers.emplace_back("Accept: application/json");
    out.headers.emplace_back("Content-Type: application/x-www-form-urlencoded");
    auto const id = percent_encode(config.client_id);
    auto const secret = percent_encode(config.client_secret);
    out.body = "grant_type=authorization_code&code=" + percent_encode(code) +
               "&redirect_uri=" + percent_encode(redirect_uri) + "&code_verifier=" + begun.verifier;
    bool const in_header = !secret.empty() && document.takes_secret_in_header;
    if (in_header) out.headers.push_back("Authorization: Basic " + mail::to_base64(id + ":" + secret));
    else out.body += "&client_id=" + id;
    if (!secret.empty() && !in_header) out.body += "&client_secret=" + secret;
    return out;
}

std::variant<sign_in_problem, token_answer> read_token_answer(transfer::http_result const& result) {
    if (auto const* const failed = std::get_if<transfer::http_failure>(&result))
        return sign_in_problem{sign_in_outcome::provider_unavailable,
                               std::string("token: ") + transfer::to_string(failed->why)};
    auto const& answer = std::get<transfer::http_answer>(result);
    if (answer.status != 200) return refusal_of(answer);
    auto const body = jose::parse_object(answer.body);
    if (!body || !iequals(jose::text_member(*body, "token_type").value_or(""), "Bearer"))
        return sign_in_problem{sign_in_outcome::response_invalid, "token: not a bearer token"};
    token_answer out{jose::text_member(*body, "id_token").value_or(""),
                     jose::text_member(*body, "access_token").value_or("")};
    if (out.id_token.empty()) return sign_in_problem{sign_in_outcome::response_invalid, "token: no id_token"};
    // at_hash is checked against what was sent; what no header can carry is not sent to UserInfo.
    if (!is_bearer_token(out.access_token)) out.access_token.clear();
    return out;
}

} // namespace recruiting::auth_api::oidc
