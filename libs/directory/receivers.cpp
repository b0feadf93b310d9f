#include "directory/receivers.hpp"

#include "core/text.hpp"
#include "core/url.hpp"
#include "directory/rules.hpp"

#include <algorithm>

namespace recruiting::directory {
namespace {

constexpr std::size_t longest_url = 2'000; // as the schema has it

bool is_below(std::string_view host, std::string_view domain) {
    return iequals(host, domain) || (host.size() > domain.size() && host[host.size() - domain.size() - 1] == '.' &&
                                     iequals(host.substr(host.size() - domain.size()), domain));
}

// Resolvers read what ends with a number as an IPv4 address, in forms such as 2130706433, 0x7f.1 and 010.0.0.1.
bool ends_with_number(std::string_view host) {
    auto const last = host.substr(host.rfind('.') + 1);
    bool const digits = std::ranges::all_of(last, [](char c) { return c >= '0' && c <= '9'; });
    return digits || last.starts_with("0x") || last.starts_with("0X");
}

std::optional<std::string> wrong_host(std::string_view host, receiver_rules const& rules) {
    constexpr auto inside = "must not lead into a private network";
    bool const bracketed = host.starts_with('[');
    if (bracketed) host = host.substr(1, host.size() - 2);
    else if (host.ends_with('.')) host.remove_suffix(1);
    if (auto const address = parse_ip(host)) {
        if (bracketed == (host.find(':') == std::string_view::npos)) return "must be a URL";
        if (!rules.allow(*address)) return inside;
        return std::nullopt;
    }
    if (host.empty() || bracketed || ends_with_number(host) || host.find('%') != std::string_view::npos)
        return "must name a host, or an address in its usual form";
    if (is_below(host, "localhost") && !rules.allow(*parse_ip("127.0.0.1"))) return inside;
    return std::nullopt;
}

} // namespace

bool receiver_rules::allow(ip_address const& address) const noexcept {
    return is_global_unicast(address) || any_contains(networks, address);
}

void declare(settings_reader& reader, receiver_rules& target) {
    reader.flag("RECRUITING_WEBHOOK_HTTP", target.http, "Whether receivers of webhooks may be called without TLS.");
    reader.custom("RECRUITING_WEBHOOK_PORTS", "443,8443",
                  "Ports of receivers of webhooks, separated by commas; any: all of them.",
                  [&target](std::string_view value) -> std::optional<std::string> {
                      target.ports.clear();
                      if (value == "any") return std::nullopt;
                      for (auto const part : split(value, ',')) {
                          auto const port = parse_number<std::uint16_t>(trim(part));
                          if (port.value_or(0) == 0) return "must be ports from 1 to 65535, or any";
                          target.ports.push_back(*port);
                      }
                      return std::nullopt;
                  });
    reader.networks("RECRUITING_WEBHOOK_NETWORKS", target.networks,
                    "Private networks whose receivers may be called all the same, as in 10.1.2.0/24; every admin of "
                    "every organization can then make auth-api send requests there.");
}

std::optional<std::string> wrong_receiver(std::string_view url, receiver_rules const& rules) {
    if (!url.starts_with("https://") && !(rules.http && url.starts_with("http://"))) return "must begin with https://";
    if (auto wrong = wrong_url(url)) return wrong;
    if (url.size() > longest_url) return "must have at most " + std::to_string(longest_url) + " characters";
    if (!is_printable_ascii(url)) return "must be ASCII: write other letters percent-encoded, and names in Punycode";
    if (url.find('#') != std::string_view::npos) return "must not have a fragment";
    auto const rest = url.substr(url.find("//") + 2);
    auto const authority = rest.substr(0, rest.find_first_of("/?"));
    auto const host = host_of(authority);
    if (authority.starts_with('[') && !host.ends_with(']')) return "must be a URL";
    auto const port_text = authority.substr(host.size());
    std::uint16_t port = url.starts_with("https") ? 443 : 80;
    if (!port_text.empty()) port = parse_number<std::uint16_t>(port_text.substr(1)).value_or(0);
    bool const any = rules.ports.empty();
    if (port == 0 || (!any && std::ranges::find(rules.ports, port) == rules.ports.end()))
        return "must have a port that webhooks may be sent to";
    return wrong_host(host, rules);
}

} // namespace recruiting::directory
