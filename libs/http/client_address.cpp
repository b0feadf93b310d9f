#include "http/client_address.hpp"

#include "core/text.hpp"

#include <algorithm>

namespace recruiting::http {
namespace {

// Some proxies add a port.
std::optional<ip_address> parse_entry(std::string_view entry) {
    auto const end = entry.find(']');
    if (entry.starts_with('[') && end != std::string_view::npos) return parse_ip(entry.substr(1, end - 1));
    if (std::count(entry.begin(), entry.end(), ':') == 1) entry = entry.substr(0, entry.find(':'));
    return parse_ip(entry);
}

} // namespace

// Fields of one name are one list in their order (RFC 9110 section 5.3), so the last entry is in the last field.
ip_address client_address(ip_address const& peer, std::span<std::string_view const> forwarded_for,
                          std::vector<ip_network> const& trusted_proxies) {
    auto client = peer;
    for (auto field = forwarded_for.rbegin(); field != forwarded_for.rend(); ++field) {
        auto const entries = split(*field, ',');
        for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
            auto const next = parse_entry(trim(*entry));
            if (!next || !any_contains(trusted_proxies, client)) return client;
            client = *next;
        }
    }
    return client;
}

std::optional<ip_address> client_address(request const& req, std::vector<ip_network> const& trusted_proxies) {
    auto const peer = parse_ip(req.peer);
    if (!peer) return std::nullopt;
    std::vector<std::string_view> fields;
    for (auto const& [name, value] : req.headers)
        if (iequals(name, "X-Forwarded-For")) fields.emplace_back(value);
    return client_address(*peer, fields, trusted_proxies);
}

} // namespace recruiting::http
