#include "auth_api/console/oidc/flow.hpp"

#include "core/text.hpp"
#include "crypto/encryption.hpp"
#include "http/query.hpp"

#include <algorithm>
#include <vector>

namespace recruiting::auth_api::oidc {
namespace {

constexpr std::string_view cookie_purpose = "recruiting console openid connect";
constexpr std::size_t random_size = 32;
constexpr std::size_t longest_return_path = 500;
constexpr std::size_t longest_code = 4096;
constexpr std::chrono::minutes clock_difference{1}; // between instances
enum : std::size_t {
    issuer_part,
    client_part,
    state_part,
    nonce_part,
    verifier_part,
    started_part,
    return_part,
    parts
};

digest flow_key(std::string_view pepper) { return hmac_sha256(pepper, cookie_purpose); }

std::string random_text() { return to_base64url(random_bytes(random_size)); }

std::string flow_cookie(std::string_view value, std::chrono::seconds lifetime, bool is_secure) {
    std::string out(flow_cookie_name(is_secure));
    out.append("=").append(value).append("; Path=/; HttpOnly; SameSite=Lax; Max-Age=");
    out.append(std::to_string(lifetime.count()));
    if (is_secure) out.append("; Secure");
    return out;
}

void append_parameter(std::string& url, std::string_view name, std::string_view value) {
    url.append(url.find('?') == url.npos ? "?" : "&").append(name).append("=").append(percent_encode(value));
}

// "." and ".." in any spelling that a browser resolves.
bool has_dot_segment(std::string_view path) {
    return std::ranges::any_of(split(path, '/'), [](std::string_view segment) {
        auto const plain = percent_decode(segment);
        return !plain || *plain == "." || *plain == "..";
    });
}

sign_in_outcome outcome_of_error(std::string_view error) noexcept {
    if (error == "access_denied") return sign_in_outcome::canceled;
    if (error == "temporarily_unavailable" || error == "server_error") return sign_in_outcome::provider_unavailable;
    return sign_in_outcome::provider_rejected;
}

} // namespace

flow begin_flow(oidc_settings const& config, std::string return_to, timestamp now) {
    return {config.issuer, config.client_id, random_text(), random_text(), random_text(), now, std::move(return_to)};
}

std::string set_flow_cookie(flow const& begun, std::string_view pepper, bool is_secure) {
    auto const started = std::to_string(begun.started.time_since_epoch().count());
    std::string text;
    for (auto const& part : {begun.issuer, begun.client_id, begun.state, begun.nonce, begun.verifier, started})
        text.append(part).append("\n");
    text += begun.return_to;
    auto const sealed = to_base64url(encrypt(text, flow_key(pepper), cookie_purpose));
    return flow_cookie(sealed, flow_lifetime, is_secure);
}

std::string clear_flow_cookie(bool is_secure) { return flow_cookie("", std::chrono::seconds{0}, is_secure); }

std::optional<flow> open_flow(std::string_view sealed, pepper_pair const& peppers, oidc_settings const& config,
                              timestamp now) {
    auto const bytes = from_base64url(sealed);
    auto text = bytes ? decrypt(*bytes, flow_key(peppers.current), cookie_purpose) : std::nullopt;
    if (bytes && !text && !peppers.previous.empty()) text = decrypt(*bytes, flow_key(peppers.previous), cookie_purpose);
    if (!text) return std::nullopt;
    auto const read = split(*text, '\n');
    if (read.size() != parts) return std::nullopt;
    auto const count = parse_number<timestamp::rep>(read[started_part]);
    bool const ours = read[issuer_part] == config.issuer && read[client_part] == config.client_id;
    if (!count || !ours) return std::nullopt;
    timestamp const started{timestamp::duration(*count)};
    if (started - now > clock_difference || now - started > flow_lifetime) return std::nullopt;
    return flow{config.issuer,
                config.client_id,
                std::string(read[state_part]),
                std::string(read[nonce_part]),
                std::string(read[verifier_part]),
                started,
                std::string(read[return_part])};
}

digest hash_flow(std::string_view pepper, flow const& begun) {
    return hmac_sha256(pepper, "recruiting openid connect sign-in " + begun.state);
}

std::string redirect_uri(std::string_view public_url) { return std::string(public_url) + "/console/api/oidc/callback"; }

std::string authorization_url(std::string_view endpoint, oidc_settings const& config, flow const& begun,
                              std::string_view public_url) {
    std::string url(endpoint);
    append_parameter(url, "response_type", "code");
    append_parameter(url, "client_id", config.client_id);
    append_parameter(url, "redirect_uri", redirect_uri(public_url));
    append_parameter(url, "scope", config.scopes);
    append_parameter(url, "state", begun.state);
    append_parameter(url, "nonce", begun.nonce);
    append_parameter(url, "code_challenge", to_base64url(bytes_of(sha256(begun.verifier))));
    append_parameter(url, "code_challenge_method", "S256");
    return url;
}

// Browsers read "\" as "/" and skip tabs and line ends: neither may be there. What is below /console/api is no page.
bool is_return_path(std::string_view path) {
    if (path.size() > longest_return_path || !is_printable_ascii(path)) return false;
    if (path.find_first_of("\\ #\"<>") != path.npos) return false;
    auto const pages = path.substr(0, path.find('?'));
    if (pages == "/console") return true;
    if (!pages.starts_with("/console/") || pages.find("//") != pages.npos || has_dot_segment(pages)) return false;
    return pages != "/console/api" && !pages.starts_with("/console/api/");
}

std::optional<callback> read_callback(std::string_view query) {
    using empty = http::query_reader::empty;
    http::query_reader reader(query);
    callback out;
    out.state = reader.text("state", longest_code, empty::allowed).value_or("");
    out.code = reader.text("code", longest_code, empty::allowed).value_or("");
    out.error = reader.text("error", longest_code, empty::allowed).value_or("");
    out.issuer = reader.text("iss", longest_code, empty::allowed).value_or("");
    if (!reader.ok()) return std::nullopt;
    return out;
}

bool answers(callback const& given, flow const& begun) noexcept {
    return equal_constant_time(given.state, begun.state);
}

std::optional<sign_in_outcome> ending_of(callback const& given, flow const& begun, bool announces_issuer) noexcept {
    bool const names_other = !given.issuer.empty() && given.issuer != begun.issuer;
    if (names_other || (announces_issuer && given.issuer.empty())) return sign_in_outcome::response_invalid;
    if (!given.error.empty()) return outcome_of_error(given.error);
    if (given.code.empty()) return sign_in_outcome::response_invalid;
    return std::nullopt;
}

} // namespace recruiting::auth_api::oidc
