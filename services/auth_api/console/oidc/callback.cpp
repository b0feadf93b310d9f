#include "auth_api/console/oidc/callback.hpp"

#include "http/query.hpp"

namespace recruiting::auth_api::oidc {
namespace {

constexpr std::size_t longest_code = 4096;

sign_in_outcome outcome_of_error(std::string_view error) noexcept {
    if (error == "access_denied") return sign_in_outcome::canceled;
    if (error == "temporarily_unavailable" || error == "server_error") return sign_in_outcome::provider_unavailable;
    return sign_in_outcome::provider_rejected;
}

} // namespace

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
