// The checks of this host: time zones, and the gateway's certificates.
#include "core/text.hpp"
#include "core/url.hpp"
#include "crypto/tls_server.hpp"
#include "recruitctl/doctor/check.hpp"
#include "zones/zone.hpp"

#include <algorithm>

namespace recruiting::recruitctl::doctor {
namespace {

using std::chrono::hours;

constexpr hours soon{21 * 24};
constexpr hours very_soon{7 * 24};

outcome check_expiry(std::string const& file, timestamp expires) {
    auto const left = expires - system_time().now();
    auto const days = std::chrono::duration_cast<hours>(left).count() / 24;
    if (left <= hours{0}) return {verdict::problem, file + " has expired on " + format_time(expires)};
    return {left < very_soon ? verdict::problem
            : left < soon    ? verdict::warning
                             : verdict::ok,
            file + " expires in " + counted(days, "day") + ", on " + format_time(expires)};
}

} // namespace

outcome certificates(site const& of, std::string_view) {
    auto const& gateway = of.of("gateway");
    if (!gateway.here) return {verdict::skipped, "the gateway is not installed here", "run doctor on its host"};
    auto const files = gateway.value("RECRUITING_GATEWAY_TLS_CERTIFICATES");
    if (gateway.value("RECRUITING_GATEWAY_TLS_LISTEN").empty() || files.empty())
        return {verdict::ok, "the gateway uses none: TLS is terminated elsewhere"};
    auto const url = of.of("public-api").value("RECRUITING_PUBLIC_URL");
    std::string const host(url.starts_with("https://") ? host_of(std::string_view(url).substr(8)) : "");
    bool named = host.empty();
    std::vector<outcome> out;
    for (auto const pair : split(files, ',')) {
        auto const colon = std::min(pair.find(':'), pair.size());
        tls_server_settings one;
        one.certificates = {{of.path(std::string(trim(pair.substr(0, colon)))),
                             of.path(std::string(trim(pair.substr(std::min(colon + 1, pair.size())))))}};
        try {
            tls_server const server(one);
            named = named || server.serves(host);
            out.push_back(check_expiry(one.certificates.front().certificates, server.expires()));
        } catch (std::exception const& error) {
            out.push_back({verdict::problem, error.what()});
        }
    }
    if (!named)
        out.push_back({verdict::problem, "no certificate names " + host + ", the host of RECRUITING_PUBLIC_URL",
                       "get a certificate for it, or fix RECRUITING_PUBLIC_URL"});
    return worst_of(std::move(out));
}

outcome time_zones(site const&, std::string_view) {
    static constexpr std::array known_everywhere{"Europe/Berlin", "America/New_York", "Asia/Tokyo"};
    return judge_zones(known_everywhere);
}

outcome judge_zones(std::span<char const* const> names) {
    for (auto const* const name : names)
        if (!zones::is_zone(name))
            return {verdict::problem,
                    "the time zone " + std::string(name) + " is unknown: interviews can't be scheduled"};
    return {verdict::ok, "installed"};
}

} // namespace recruiting::recruitctl::doctor
