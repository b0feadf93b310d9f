#include "public_api/exposure/exposed_key.hpp"

#include "core/text.hpp"

namespace recruiting::public_api {
namespace {

constexpr std::string_view reported_by_gateway = "X-Exposed-Credential"; // "GET Authorization sp_live_…"
constexpr std::size_t longest_place = 100;

std::optional<sent_key> read_report(std::string_view field) {
    auto const parts = split(field, ' ');
    if (parts.size() != 3) return std::nullopt;
    auto secret = http::find_key(parts[2]);
    if (secret.empty()) return std::nullopt;
    return sent_key{{std::move(secret), std::string(parts[1].substr(0, longest_place))}, std::string(parts[0])};
}

bool comes_from(http::request const& req, std::vector<ip_network> const& proxies) {
    auto const peer = parse_ip(req.peer);
    return peer && any_contains(proxies, *peer);
}

std::optional<http::exposed_key> find_in(http::request const& req) {
    for (auto const& [name, value] : req.headers)
        if (auto found = http::find_key_in_field(name, value)) return found;
    if (auto found = http::find_key_in_target(req.target)) return found;
    auto secret = http::find_key(req.body);
    if (secret.empty()) return std::nullopt;
    return http::exposed_key{std::move(secret), "body"};
}

} // namespace

std::optional<sent_key> find_exposed_key(http::request const& req, std::vector<ip_network> const& trusted_proxies) {
    auto const report = req.header(reported_by_gateway);
    if (!report.empty() && comes_from(req, trusted_proxies))
        if (auto reported = read_report(report)) return reported;
    auto found = find_in(req);
    if (!found) return std::nullopt;
    return sent_key{std::move(*found), std::string(req.method)};
}

} // namespace recruiting::public_api
