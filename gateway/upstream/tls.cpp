#include "gateway/upstream/tls.hpp"

#include "gateway/listener_settings.hpp"

#include <algorithm>

namespace recruiting::gateway {
namespace {

using wrong = std::optional<std::string>;

constexpr std::size_t longest_name = 253; // RFC 1035 section 2.3.4, without the last dot and the root's length

wrong read_own(std::string_view value, tls_files& out) {
    std::vector<tls_files> files;
    auto fault = read_certificates(value, files);
    if (fault || files.size() > 1) return "must be CHAIN.pem:KEY.pem, or empty";
    out = files.empty() ? tls_files{} : std::move(files.front());
    return std::nullopt;
}

wrong judge(upstream_tls_settings const& s, std::span<service_addresses const> services) {
    auto const& [ca_file, own, name] = s.client;
    bool const says_more = !ca_file.empty() || !own.certificates.empty() || !name.empty();
    if (!s.on && says_more)
        return "RECRUITING_GATEWAY_UPSTREAM_CA_FILE, _CERTIFICATE and _SERVER_NAME need "
               "RECRUITING_GATEWAY_UPSTREAM_TLS";
    bool const nameless = std::any_of(services.begin(), services.end(), [](service_addresses const& service) {
        return std::any_of(service.begin(), service.end(), [](auto const& one) { return one.where.host.empty(); });
    });
    if (s.on && name.empty() && nameless)
        return "RECRUITING_GATEWAY_UPSTREAM_TLS over unix sockets needs RECRUITING_GATEWAY_UPSTREAM_SERVER_NAME";
    return std::nullopt;
}

} // namespace

void declare_upstream_tls(settings_reader& reader, upstream_tls_settings& out,
                          std::span<service_addresses const> services) {
    reader.flag("RECRUITING_GATEWAY_UPSTREAM_TLS", out.on,
                "Services are spoken to over TLS, and their certificates verified. Health addresses stay plain.");
    reader.text("RECRUITING_GATEWAY_UPSTREAM_CA_FILE", out.client.ca_file,
                "PEM file of the authorities whose services are believed; empty: the system's. SIGHUP reads it again.");
    reader.custom("RECRUITING_GATEWAY_UPSTREAM_CERTIFICATE", "",
                  "PEM files CHAIN:KEY of the gateway's own certificate, shown to services that ask for one (mutual "
                  "TLS). SIGHUP reads them again.",
                  [&out](std::string_view value) { return read_own(value, out.client.own); });
    reader.custom("RECRUITING_GATEWAY_UPSTREAM_SERVER_NAME", "",
                  "The name services' certificates must have; empty: the host name or address they are configured by.",
                  [&out](std::string_view value) -> wrong {
                      if (value.size() > longest_name) return "must be a name of at most 253 characters";
                      out.client.server_name = value;
                      return std::nullopt;
                  });
    reader.rule([&out, services] { return judge(out, services); });
}

} // namespace recruiting::gateway
