#include "recruitctl/doctor/host_check.hpp"

#include "core/text.hpp"
#include "core/url.hpp"
#include "crypto/tls_server.hpp"
#include "zones/zone.hpp"

#include <algorithm>

namespace recruiting::recruitctl::doctor {
namespace {

constexpr std::uintmax_t least_free = std::uintmax_t{1} << 30U;
constexpr std::uintmax_t mib = 1024 * 1024;

} // namespace

host_facts read_host(std::vector<std::filesystem::path> const& paths) {
    host_facts out;
    for (auto const& path : paths) {
        std::error_code error;
        auto const space = std::filesystem::space(path, error);
        if (!error && space.capacity > 0) out.disks.push_back({path.string(), space.available, space.capacity});
    }
    for (auto const* const zone : {"Europe/Berlin", "America/New_York", "Asia/Tokyo"})
        if (!zones::is_zone(zone)) out.missing_zones.emplace_back(zone);
    return out;
}

findings check_host(host_facts const& facts) {
    findings out;
    for (auto const& disk : facts.disks) {
        auto const text = disk.path + ": " + std::to_string(disk.free / mib) + " MiB of " +
                          std::to_string(disk.whole / mib) + " are free";
        if (disk.free < least_free && disk.free < disk.whole / 20)
            out.push_back(warning("host.disk", text, "free disk space: logs and mail files are written there"));
        else out.push_back(ok("host.disk", text));
    }
    if (facts.missing_zones.empty()) out.push_back(ok("host.time-zones", "there"));
    else
        out.push_back(
            problem("host.time-zones",
                    "the time zone " + facts.missing_zones.front() + " is unknown: interviews can't be scheduled",
                    "apt-get install tzdata"));
    return out;
}

namespace {

using std::chrono::hours;

constexpr hours soon{21 * 24};
constexpr hours very_soon{7 * 24};
// Files and metrics have whole seconds.
constexpr std::chrono::seconds same_time{1};

// Of an https:// address, without brackets' end and port; else empty.
std::string https_host(std::string_view url) {
    return url.starts_with("https://") ? std::string(host_of(url.substr(8))) : std::string();
}

certificate_facts read_certificate(std::string check, tls_files const& files, std::string const& public_host) {
    certificate_facts out{std::move(check), files.certificates, {}, {}};
    try {
        tls_server_settings settings;
        settings.certificates = {files};
        tls_server const server(settings);
        out.expires = server.expires();
        out.serves_public_host = public_host.empty() || server.serves(public_host);
    } catch (std::exception const& error) {
        out.wrong = error.what();
    }
    return out;
}

std::vector<tls_files> pairs_of(installed_program const& gateway, char const* setting) {
    auto const text = gateway.given(setting);
    std::vector<tls_files> out;
    for (auto const part : split(text, ',')) {
        auto const colon = part.find(':');
        if (colon != std::string_view::npos)
            out.push_back({gateway.path(std::string(trim(part.substr(0, colon)))),
                           gateway.path(std::string(trim(part.substr(colon + 1))))});
    }
    return out;
}

std::string days_left(timestamp until, timestamp now) {
    auto const days = std::chrono::duration_cast<hours>(until - now).count() / 24;
    return days == 0 ? "in less than a day" : "in " + counted(days, "day");
}

finding check_certificate(certificate_facts const& of, timestamp now) {
    auto const text = of.file + " expires " + days_left(of.expires, now) + ", on " + format_time(of.expires);
    auto const* const fix = "renew it and replace the file: the gateway reloads it";
    if (!of.wrong.empty())
        return problem(of.check, of.wrong,
                       "fix the file; as another user than the gateway's: run recruitctl doctor as root");
    if (of.expires <= now) return problem(of.check, of.file + " has expired on " + format_time(of.expires), fix);
    if (of.expires - now < very_soon) return problem(of.check, text, fix);
    if (of.expires - now < soon) return warning(of.check, text, fix);
    return ok(of.check, text);
}

} // namespace

certificates_facts read_certificates(installation const& of, timestamp now) {
    certificates_facts out;
    out.now = now;
    auto const& gateway = of.program("gateway");
    if (!gateway.setting("RECRUITING_GATEWAY_TLS_LISTEN").empty())
        out.public_host = https_host(of.program("public-api").setting("RECRUITING_PUBLIC_URL"));
    for (auto const& files : pairs_of(gateway, "RECRUITING_GATEWAY_TLS_CERTIFICATES"))
        out.each.push_back(read_certificate("certificates.gateway", files, out.public_host));
    for (auto const& files : pairs_of(gateway, "RECRUITING_GATEWAY_UPSTREAM_CERTIFICATE"))
        out.each.push_back(read_certificate("certificates.upstream", files, {}));
    return out;
}

findings check_certificates(installation const& of, certificates_facts const& facts, std::optional<timestamp> served) {
    if (!of.program("gateway").here && !served)
        return {skipped("certificates.gateway", "the gateway is not here",
                        "on its host, or with --gateway HOST:PORT, its admin address")};
    if (facts.each.empty() && !served)
        return {ok("certificates.gateway", "the gateway uses none: TLS is terminated elsewhere")};
    findings out;
    for (auto const& one : facts.each) out.push_back(check_certificate(one, facts.now));
    if (facts.each.empty())
        out.push_back(check_certificate({"certificates.gateway", "what the gateway serves", {}, *served}, facts.now));
    auto const mine = [](certificate_facts const& one) {
        return one.check == "certificates.gateway" && one.wrong.empty();
    };
    if (!facts.public_host.empty() && std::ranges::any_of(facts.each, mine) &&
        std::ranges::none_of(facts.each, [&](auto const& one) { return mine(one) && one.serves_public_host; }))
        out.push_back(problem("certificates.names",
                              "no certificate names " + facts.public_host + ", the host of RECRUITING_PUBLIC_URL",
                              "get a certificate for it, or fix RECRUITING_PUBLIC_URL"));
    auto const first = std::ranges::min_element(
        facts.each, {}, [&](auto const& one) { return mine(one) ? one.expires : timestamp::max(); });
    if (served && first != facts.each.end() && mine(*first) && first->expires - *served > same_time)
        out.push_back(warning(
            "certificates.reload", "the running gateway still serves the certificate of before " + first->file,
            of.kind == setup_kind::run_dir ? "send the gateway SIGHUP" : "systemctl reload recruiting-gateway"));
    return out;
}

} // namespace recruiting::recruitctl::doctor
