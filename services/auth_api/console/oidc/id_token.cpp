#include "auth_api/console/oidc/id_token.hpp"

#include "core/text.hpp"
#include "mail/address.hpp"

#include <algorithm>
#include <boost/json/value.hpp>
#include <utility>

namespace recruiting::auth_api::oidc {
namespace {

namespace json = boost::json;
using jose::text_member;

constexpr std::chrono::minutes clock_difference_of_servers{1};
constexpr std::chrono::minutes longest_backdating{10}; // Entra ID dates its tokens five minutes back
constexpr std::size_t longest_subject = 255;           // section 2

// Seconds since 1970, as RFC 7519 section 2 has NumericDate. nullopt: not there, or no such number.
std::optional<timestamp> time_claim(json::object const& claims, std::string_view name) {
    constexpr double most_seconds = 253402300799; // the year 9999
    auto const* const value = claims.if_contains(name);
    if (value == nullptr || !value->is_number()) return std::nullopt;
    auto const seconds = value->to_number<double>();
    if (!(seconds >= 0 && seconds <= most_seconds)) return std::nullopt;
    return timestamp(std::chrono::seconds(static_cast<std::int64_t>(seconds)));
}

// OpenID Connect Core 1.0 section 3.1.3.7, rules 3 to 5. Zitadel and Keycloak list more audiences than the client; the
// token is then this client's only if the provider says so in azp.
bool is_for_client(json::object const& claims, std::string_view client_id) {
    auto const party = text_member(claims, "azp");
    if (claims.contains("azp") && party != client_id) return false;
    auto const* const audience = claims.if_contains("aud");
    if (audience == nullptr) return false;
    if (audience->is_string()) return std::string_view(audience->get_string()) == client_id;
    if (!audience->is_array()) return false;
    auto const& named = audience->get_array();
    if (!std::ranges::all_of(named, &json::value::is_string)) return false;
    auto const ours = std::ranges::count_if(
        named, [&](json::value const& one) { return std::string_view(one.get_string()) == client_id; });
    return ours > 0 && (std::cmp_equal(ours, named.size()) || party);
}

bool is_of_now(json::object const& claims, token_context const& context) {
    auto const expires = time_claim(claims, "exp");
    auto const issued = time_claim(claims, "iat");
    if (!expires || !issued || *expires + clock_difference_of_servers <= context.now) return false;
    if (*issued > context.now + clock_difference_of_servers) return false;
    if (*issued + longest_backdating < context.begun.started) return false;
    if (!claims.contains("nbf")) return true;
    auto const from = time_claim(claims, "nbf");
    return from && *from <= context.now + clock_difference_of_servers;
}

// Section 3.1.3.6; all algorithms here are of SHA-256.
bool is_hash_of(std::string_view at_hash, std::string_view access_token) {
    auto const whole = sha256(access_token);
    return at_hash == to_base64url(bytes_of(whole).substr(0, sizeof(digest) / 2));
}

// The claim of the first rule that is broken; "": they hold all. audience: the token is another client's, or for others
// besides without naming this client in azp. access_token: not the one that the token was issued with.
std::string_view broken_rule(json::object const& claims, token_context const& context) {
    if (text_member(claims, "iss") != context.begun.issuer) return "issuer";
    if (!is_for_client(claims, context.begun.client_id)) return "audience";
    if (!is_of_now(claims, context)) return "time";
    auto const nonce = text_member(claims, "nonce");
    if (!nonce || !equal_constant_time(*nonce, context.begun.nonce)) return "nonce";
    auto const at_hash = text_member(claims, "at_hash");
    if (claims.contains("at_hash") && (!at_hash || !is_hash_of(*at_hash, context.access_token))) return "access_token";
    return {};
}

// Cognito, Apple and JumpCloud send the text "true".
bool is_true(json::value const& value) {
    return value.is_bool() ? value.get_bool() : value.is_string() && value.get_string() == "true";
}

// Entra ID sends the claim as a boolean or as the number or text 1.
bool is_domain_owner_verified(json::value const& xms_edov) {
    if (is_true(xms_edov) || (xms_edov.is_string() && xms_edov.get_string() == "1")) return true;
    return xms_edov.is_number() && xms_edov.to_number<double>() == 1;
}

// Whether the provider vouches for the address. nullopt: it says nothing.
std::optional<bool> read_verification(json::object const& claims, bool trusts_email) {
    if (auto const* const verified = claims.if_contains("email_verified")) return is_true(*verified);
    auto const* const owner = trusts_email ? claims.if_contains("xms_edov") : nullptr;
    if (owner == nullptr) return std::nullopt;
    return is_domain_owner_verified(*owner);
}

std::optional<person_claims> read_person(json::object const& claims, bool trusts_email) {
    auto const subject = text_member(claims, "sub");
    if (!subject || subject->empty() || subject->size() > longest_subject) return std::nullopt;
    person_claims out{*subject, {}, {}};
    out.email_verified = read_verification(claims, trusts_email);
    auto const email = text_member(claims, "email");
    if (email && mail::is_address(*email)) out.email = *email;
    return out;
}

} // namespace

std::variant<token_fault, person_claims> read_id_token(std::string_view token, jose::key_set const& keys,
                                                       token_context const& context) {
    auto const verified = keys.verify(token);
    if (auto const* const why = std::get_if<jose::jws_fault>(&verified))
        return token_fault{to_string(*why), *why == jose::jws_fault::unknown_key};
    auto const claims = jose::parse_object(std::get<std::string>(verified));
    if (!claims) return token_fault{to_string(jose::jws_fault::malformed)};
    if (auto const broken = broken_rule(*claims, context); !broken.empty()) return token_fault{broken};
    auto person = read_person(*claims, context.trusts_email);
    if (!person) return token_fault{"subject"};
    return std::move(*person);
}

std::optional<person_claims> read_userinfo(std::string_view body, person_claims const& known, bool trusts_email) {
    auto const claims = jose::parse_object(body);
    if (!claims) return std::nullopt;
    auto person = read_person(*claims, trusts_email);
    if (!person || person->subject != known.subject) return std::nullopt;
    if (known.email_verified == false) person->email_verified = false;
    return person;
}

bool may_sign_in(person_claims const& person, bool trusts_email) noexcept {
    return !person.email.empty() && person.email_verified.value_or(trusts_email);
}

} // namespace recruiting::auth_api::oidc
