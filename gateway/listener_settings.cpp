#include "gateway/listener_settings.hpp"

#include "core/text.hpp"

namespace recruiting::gateway {
namespace {

using namespace std::chrono_literals;
using wrong = std::optional<std::string>;

void optional_address(settings_reader& reader, std::string name, endpoint& target, std::string help) {
    auto const parse = [](std::string_view value) { return value.empty() ? endpoint{} : parse_endpoint(value); };
    reader.custom(std::move(name), is_none(target) ? "" : to_string(target), std::move(help),
                  parsed_into(target, parse, "must be host:port, [address]:port or unix:/path, or empty"));
}

void proxy_version(settings_reader& reader, std::string name, proxy_protocol& target, std::string help) {
    auto const parse = [](std::string_view value) -> std::optional<proxy_protocol> {
        if (value == "off") return proxy_protocol::off;
        if (value == "v1") return proxy_protocol::v1;
        if (value == "v2") return proxy_protocol::v2;
        if (value == "any") return proxy_protocol::any;
        return std::nullopt;
    };
    reader.custom(std::move(name), "off", std::move(help) + " (off, v1, v2 or any)",
                  parsed_into(target, parse, "must be one of off,v1,v2,any"));
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
    reader.duration("RECRUITING_GATEWAY_TLS_WATCH", out.watch_interval, 0ms, 24h,
                    "Interval at which all TLS files are checked, including those for the services. Changed files that "
                    "are the same in two checks are read again, as on SIGHUP. 0ms: only on SIGHUP.");
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
    bool const wants_proxies = s.plain_proxy != proxy_protocol::off || s.tls_proxy != proxy_protocol::off;
    if (wants_proxies && trusts_nobody)
        return "the PROXY protocol needs RECRUITING_GATEWAY_TRUSTED_PROXIES: only trusted proxies may send its header";
    return std::nullopt;
}

} // namespace

std::optional<std::string> read_certificates(std::string_view value, std::vector<tls_files>& out) {
    out.clear();
    for (auto part : split(value, ',')) {
        part = trim(part);
        if (part.empty()) continue;
        auto const files = split(part, ':');
        if (files.size() != 2 || trim(files[0]).empty() || trim(files[1]).empty())
            return "must be CHAIN.pem:KEY.pem, comma-separated; \"" + std::string(part) + "\" is not";
        out.push_back({std::string(trim(files[0])), std::string(trim(files[1]))});
    }
    return std::nullopt;
}

std::vector<listener_settings::listener> listener_settings::all() const {
    std::vector<listener> out;
    if (!is_none(plain)) out.push_back({plain, {false, false, plain_proxy}});
    if (!is_none(tls)) out.push_back({tls, {true, false, tls_proxy}});
    if (!is_none(redirect)) out.push_back({redirect, {false, true, plain_proxy}});
    return out;
}

std::uint16_t listener_settings::public_tls_port() const noexcept {
    return redirect_port != 0 ? static_cast<std::uint16_t>(redirect_port) : tls.port;
}

std::string listener_settings::hsts_line() const {
    if (hsts_seconds == 0) return {};
    return "Strict-Transport-Security: max-age=" + std::to_string(hsts_seconds) +
           (hsts_subdomains ? "; includeSubDomains\r\n" : "\r\n");
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
    reader.duration(
        "RECRUITING_GATEWAY_HANDSHAKE_TIMEOUT", out.handshake_timeout, 250ms, 10min,
        "Timeout of a TLS handshake, and of the PROXY protocol header before it; then the connection is closed.");
    reader.number("RECRUITING_GATEWAY_HSTS", out.hsts_seconds, 0, 10LL * 366 * 86400,
                  "Strict-Transport-Security max-age in seconds, sent over TLS; 0: not sent.");
    reader.flag("RECRUITING_GATEWAY_HSTS_SUBDOMAINS", out.hsts_subdomains,
                "Whether Strict-Transport-Security includes subdomains.");
    proxy_version(reader, "RECRUITING_GATEWAY_PROXY_PROTOCOL", out.plain_proxy,
                  "Plain connections begin with a PROXY protocol header. Others, and those not from a trusted proxy, "
                  "are closed");
    proxy_version(reader, "RECRUITING_GATEWAY_TLS_PROXY_PROTOCOL", out.tls_proxy,
                  "TLS connections begin with a PROXY protocol header, before the handshake. Others, and those not "
                  "from a trusted proxy, are closed");
    reader.rule([&out, &trusted_proxies] { return check_combination(out, trusted_proxies.empty()); });
}

} // namespace recruiting::gateway
