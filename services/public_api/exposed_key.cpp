#include "public_api/exposed_key.hpp"

#include "core/text.hpp"

#include <algorithm>

namespace recruiting::public_api {
namespace {

constexpr std::size_t secret_size = 40; // after the prefix (specification: API key)

bool is_alphanumeric(char c) noexcept {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// The checksum is not looked at: a key with a typing error exposes all the same.
bool holds_key_after(std::string_view text, std::string_view prefix) noexcept {
    for (auto at = text.find(prefix); at != std::string_view::npos; at = text.find(prefix, at + 1)) {
        auto const rest = text.substr(at + prefix.size());
        if (rest.size() >= secret_size && std::all_of(rest.begin(), rest.begin() + secret_size, is_alphanumeric))
            return true;
    }
    return false;
}

bool holds_key(std::string_view text) {
    auto const plain = [](std::string_view t) {
        return holds_key_after(t, "sp_live_") || holds_key_after(t, "sp_test_");
    };
    if (plain(text)) return true;
    if (text.find('%') == std::string_view::npos) return false;
    auto const decoded = percent_decode(text);
    return decoded && plain(*decoded);
}

api_error refusal(std::string location, std::string field) {
    auto error = make_error(error_code::credential_not_allowed);
    error.details.push_back({std::move(location), std::move(field), "api_key",
                             "Never send an API key here. Whoever could read this request has it now: revoke it."});
    return error;
}

} // namespace

std::optional<api_error> refuse_api_key(http::request const& req) {
    for (auto const& [name, value] : req.headers) {
        if (holds_key(name)) return refusal("header", "");
        if (holds_key(value)) return refusal("header", std::string(name));
    }
    if (holds_key(req.target)) return refusal("query", "");
    return std::nullopt;
}

} // namespace recruiting::public_api
