// The settings of what the gateway listens on: plain, TLS, and a plain address that only redirects to TLS; and of TLS
// towards the services.
#include "gateway/settings.hpp"

#include "core/text.hpp"

#include <algorithm>

namespace recruiting::gateway {
namespace {

using wrong = std::optional<std::string>;

void optional_address(settings_reader& reader, std::string name, endpoint& target, std::string help) {
    auto const parse = [](std::string_view value) { return value.empty() ? endpoint{} : parse_endpoint(value); };
    reader.custom(std::move(name), is_none(target) ? "" : to_string(target), std::move(help),
                  parsed_into(target, parse, "must be host:port, [address]:port or unix:/path, or empty"));
}

std::optional<proxy_protocol> parse_proxy_protocol(std::string_view value) {
    if (value == "off") return proxy_protocol::off;
    if (value == "v1") return proxy_protocol::v1;
    if (value == "v2") return proxy_protocol::v2;
    if (value == "any") return proxy_protocol::any;
    return std::nullopt;
}

// "31536000" or "31536000; includeSubDomains", with one blank at most.
wrong read_hsts(std::string_view value, std::string& out) {
    auto const end = std::min(value.find(';'), value.size());
    auto const seconds = parse_number<std::uint32_t>(value.substr(0, end));
    auto const rest = trim(value.substr(end));
    bool const subdomains = rest == "; includeSubDomains" || rest == ";includeSubDomains";
    if (!seconds || (!rest.empty() && !subdomains)) return "must be seconds, or seconds; includeSubDomains";
    out.clear();
    if (*seconds > 0) out = "max-age=" + std::to_string(*seconds) + (subdomains ? "; includeSubDomains" : "");
    return std::nullopt;
}

void declare_files(settings_reader& reader, listener_settings& out) {
    reader.custom("RECRUITING_GATEWAY_TLS_CERTIFICATES", "",
                  "PEM files CHAIN:KEY, comma-separated. Clients get the certificate for the requested name, else the "
                  "first. SIGHUP reloads them.",
                  [&out](std::string_view value) { return read_certificates(value, out.server.certificates); });
    reader.text(
        "RECRUITING_GATEWAY_TLS_TICKET_KEYS_FILE", out.server.ticket_keys_file,
        "File with the keys of session tickets, 80 random bytes each: the first encrypts new tickets, all decrypt "
        "them. The same for every gateway behind one address. Empty: random keys of this process. SIGHUP reloads it.");
    auto const parse_version = [](std::string_view value) -> std::optional<tls_version> {
        if (value == "1.2") return tls_version::tls1_2;
        if (value == "1.3") return tls_version::tls1_3;
        return std::nullopt;
    };
    reader.custom("RECRUITING_GATEWAY_TLS_MIN_VERSION", "1.2", "Minimum TLS version (1.2 or 1.3)",
                  parsed_into(out.server.least, parse_version, "must be 1.2 or 1.3"));
}

wrong check_combination(listener_settings const& s, bool trusts_nobody) {
    if (is_none(s.plain) && is_none(s.tls))
        return "RECRUITING_GATEWAY_LISTEN and RECRUITING_GATEWAY_TLS_LISTEN are both empty: set one of them";
    if (!is_none(s.tls) && s.server.certificates.empty())
        return "RECRUITING_GATEWAY_TLS_LISTEN needs RECRUITING_GATEWAY_TLS_CERTIFICATES";
    if (!is_none(s.redirect) && is_none(s.tls))
        return "RECRUITING_GATEWAY_REDIRECT_LISTEN needs RECRUITING_GATEWAY_TLS_LISTEN, the target of its redirects";
    if (!is_none(s.redirect) && s.public_tls_port() == 0)
        return "RECRUITING_GATEWAY_REDIRECT_PORT must be set when TLS is on a unix socket";
    if (s.proxy != proxy_protocol::off && trusts_nobody)
        return "the PROXY protocol needs RECRUITING_GATEWAY_TRUSTED_PROXIES: only trusted proxies may send its header";
    return std::nullopt;
}

} // namespace

std::optional<std::string> read_certificates(std::string_view value, std::vector<tls_files>& out) {
    out.clear();
    for (auto part : split(value, ',')) {
        part = trim(part);
        if (part.empty()) continue;
        auto files = parse_tls_files(part);
        if (!files) return "must be CHAIN.pem:KEY.pem, comma-separated; \"" + std::string(part) + "\" is not";
        out.push_back(std::move(*files));
    }
    return std::nullopt;
}

std::vector<listener_settings::listener> listener_settings::all() const {
    std::vector<listener> out;
    if (!is_none(plain)) out.push_back({plain, {false, false, proxy}});
    if (!is_none(tls)) out.push_back({tls, {true, false, proxy}});
    if (!is_none(redirect)) out.push_back({redirect, {false, true, proxy}});
    return out;
}

std::uint16_t listener_settings::public_tls_port() const noexcept {
    return redirect_port != 0 ? static_cast<std::uint16_t>(redirect_port) : tls.port;
}

std::string listener_settings::hsts_line() const {
    return hsts.empty() ? std::string() : "Strict-Transport-Security: " + hsts + "\r\n";
}

void declare_listeners(settings_reader& reader, listener_settings& out,
                       std::vector<ip_network> const& trusted_proxies) {
    optional_address(reader, "RECRUITING_GATEWAY_LISTEN", out.plain, "Address for plain HTTP/1.1; empty: TLS only.");
    optional_address(reader, "RECRUITING_GATEWAY_TLS_LISTEN", out.tls,
                     "Address for TLS: HTTP/1.1 over TLS 1.2 and 1.3.");
    optional_address(
        reader, "RECRUITING_GATEWAY_REDIRECT_LISTEN", out.redirect,
        "Address for plain HTTP that only redirects to TLS, for host names in the certificates; others get 400.");
    reader.number("RECRUITING_GATEWAY_REDIRECT_PORT", out.redirect_port, 0, 65535,
                  "Port in redirects; 0: that of RECRUITING_GATEWAY_TLS_LISTEN.");
    declare_files(reader, out);
    reader.custom("RECRUITING_GATEWAY_HSTS", "0",
                  "Strict-Transport-Security over TLS: max-age in seconds, and \"; includeSubDomains\" if subdomains "
                  "are included; 0: not sent.",
                  [&out](std::string_view value) { return read_hsts(value, out.hsts); });
    reader.custom(
        "RECRUITING_GATEWAY_PROXY_PROTOCOL", "off",
        "Connections begin with a PROXY protocol header, before any TLS handshake. Others, and those not from "
        "a trusted proxy, are closed (off, v1, v2 or any)",
        parsed_into(out.proxy, parse_proxy_protocol, "must be one of off,v1,v2,any"));
    reader.rule([&out, &trusted_proxies] { return check_combination(out, trusted_proxies.empty()); });
}

namespace {

constexpr std::size_t longest_name = 253; // RFC 1035 section 2.3.4, without the last dot and the root's length

wrong check_upstream_tls(tls_client_settings const& s, std::span<service_addresses const> services) {
    auto const& ca_file = s.ca_file;
    auto const& name = s.server_name;
    if (ca_file.empty() && (!s.own.certificates.empty() || !name.empty()))
        return "RECRUITING_GATEWAY_UPSTREAM_CERTIFICATE and _SERVER_NAME need RECRUITING_GATEWAY_UPSTREAM_CA_FILE";
    for (auto const& service : services)
        for (auto const& one : service)
            if (!ca_file.empty() && name.empty() && one.where.host.empty())
                return "RECRUITING_GATEWAY_UPSTREAM_CA_FILE with unix sockets needs "
                       "RECRUITING_GATEWAY_UPSTREAM_SERVER_NAME";
    if (name.size() > longest_name) return "RECRUITING_GATEWAY_UPSTREAM_SERVER_NAME must have 253 characters at most";
    return std::nullopt;
}

} // namespace

void declare_upstream_tls(settings_reader& reader, tls_client_settings& out,
                          std::span<service_addresses const> services) {
    reader.text("RECRUITING_GATEWAY_UPSTREAM_CA_FILE", out.ca_file,
                "CA certificates (PEM) that verify services: the gateway connects to them over TLS. Empty: plain HTTP. "
                "Health checks are always plain HTTP. SIGHUP reloads the file.");
    declare_certificate(
        reader, "RECRUITING_GATEWAY_UPSTREAM_CERTIFICATE", out.own,
        "PEM files CHAIN:KEY of the gateway's client certificate for mutual TLS with services. SIGHUP reloads them.");
    reader.text("RECRUITING_GATEWAY_UPSTREAM_SERVER_NAME", out.server_name,
                "Name that services' certificates must contain; empty: the configured host name or address.");
    reader.rule([&out, services] { return check_upstream_tls(out, services); });
}

} // namespace recruiting::gateway
