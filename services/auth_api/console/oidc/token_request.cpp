#include "auth_api/console/oidc/token_request.hpp"

#include "core/text.hpp"
#include "jose/jws.hpp"
#include "mail/encodings.hpp"

#include <algorithm>
#include <boost/json/value.hpp>

namespace recruiting::auth_api::oidc {
namespace {

constexpr std::size_t longest_access_token = 16 * 1024;

// A code of RFC 6749 section 5.2, fit for the log: another text of the provider's is not.
std::string error_name(boost::json::object const& answer) {
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
