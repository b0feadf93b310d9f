#include "public_api/exposure/exposed_key.hpp"

#include "core/text.hpp"
#include "http/key_scan.hpp"

namespace recruiting::public_api {
namespace {

constexpr std::string_view told_by_gateway = "X-Exposed-Credential"; // "GET Authorization sp_live_…"
constexpr std::size_t longest_place = 100;

std::optional<exposed_key> read_report(std::string_view field) {
    auto const parts = split(field, ' ');
    if (parts.size() != 3 || http::find_key(parts[2]).empty()) return std::nullopt;
    return exposed_key{std::string(http::find_key(parts[2])), std::string(parts[1].substr(0, longest_place)),
                       std::string(parts[0])};
}

bool comes_from(http::request const& req, std::vector<ip_network> const& proxies) {
    auto const peer = parse_ip(req.peer);
    return peer && any_contains(proxies, *peer);
}

std::optional<exposed_key> find_in(http::request const& req) {
    auto const found = [&req](std::string secret, std::string_view place) {
        return exposed_key{std::move(secret), std::string(place.substr(0, longest_place)), std::string(req.method)};
    };
    for (auto const& [name, value] : req.headers) {
        if (auto const key = http::find_key(name); !key.empty()) return found(std::string(key), "header");
        if (auto key = http::find_key_in_field(value); !key.empty()) return found(std::move(key), name);
    }
    auto const question = req.target.find('?');
    if (auto key = http::find_encoded_key(req.target.substr(0, question)); !key.empty())
        return found(std::move(key), "path");
    if (question == std::string_view::npos) return std::nullopt;
    if (auto key = http::find_encoded_key(req.target.substr(question)); !key.empty())
        return found(std::move(key), "query");
    return std::nullopt;
}

} // namespace

api_error exposed_key::refusal() const {
    auto error = make_error(error_code::credential_not_allowed);
    bool const in_target = place == "query" || place == "path";
    bool const named = !in_target && place != "header";
    error.details.push_back({in_target ? place : std::string("header"), named ? place : std::string(), "api_key",
                             "Never send an API key here. Whoever could read this request has it now: revoke it."});
    return error;
}

std::optional<exposed_key> find_exposed_key(http::request const& req, std::vector<ip_network> const& trusted_proxies) {
    auto const report = req.header(told_by_gateway);
    if (!report.empty() && comes_from(req, trusted_proxies))
        if (auto told = read_report(report)) return told;
    return find_in(req);
}

} // namespace recruiting::public_api
