// This host: where doctor finds the settings of the programs, in files that packages install or that scripts/up writes;
// and the checks of these settings, of the gateway's certificates and of time zones.
#include "core/redact.hpp"
#include "core/text.hpp"
#include "core/url.hpp"
#include "crypto/tls_server.hpp"
#include "recruitctl/doctor/check.hpp"
#include "zones/zone.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <sys/wait.h>
#include <unistd.h>

namespace recruiting::recruitctl::doctor {
namespace {

namespace fs = std::filesystem;

// What a program does without the setting (settings.md), where a check depends on it.
settings const& defaults() {
    static settings const values{{"RECRUITING_GATEWAY_LISTEN", "127.0.0.1:8080"},
                                 {"RECRUITING_PUBLIC_URL", "http://127.0.0.1:8080"},
                                 {"RECRUITING_REDIS_URL", "redis://127.0.0.1:6379"},
                                 {"RECRUITING_GATEWAY_ADMIN_LISTEN", "127.0.0.1:9080"},
                                 {"RECRUITING_AUTH_API_ADMIN_LISTEN", "127.0.0.1:9081"},
                                 {"RECRUITING_PUBLIC_API_ADMIN_LISTEN", "127.0.0.1:9082"}};
    return values;
}

std::string value_in(settings const& values, std::string const& name) {
    auto const found = values.find(name);
    return found == values.end() ? std::string() : found->second;
}

program read_program(std::string name, fs::path const& directory) {
    program out;
    out.name = std::move(name);
    out.file = (directory / (out.name + ".conf")).string();
    std::error_code error;
    out.here = fs::exists(out.file, error) || error;
    if (auto const wrong = out.here ? read_settings_file(out.file, out.given) : std::nullopt) out.wrong = *wrong;
    return out;
}

// Beside recruitctl, as packages and builds put it, or where packages do; empty: neither.
std::string binary_of(program const& which) {
    std::error_code ignored;
    auto const beside = fs::read_symlink("/proc/self/exe", ignored).parent_path() / which.full_name();
    for (auto const& candidate : {beside, fs::path("/usr/bin") / which.full_name()})
        if (::access(candidate.c_str(), X_OK) == 0) return candidate.string();
    return {};
}

std::string shell_word(std::string const& text) {
    std::string out = "'";
    for (char const c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

// The command's exit code and its output, of 64 KiB at most.
std::pair<int, std::string> output_of(std::string const& command) {
    auto* const pipe = ::popen((command + " 2>&1 </dev/null").c_str(), "re");
    if (pipe == nullptr) return {-1, "no process can be started"};
    std::string out(64UL * 1024, '\0');
    out.resize(std::fread(out.data(), 1, out.size(), pipe));
    auto const status = ::pclose(pipe);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, std::move(out)};
}

// Units give the programs their secrets as credentials (systemd.exec(5), LoadCredential=), from here.
std::string credentials_in(fs::path const& directory, settings const& given) {
    std::string out;
    for (auto const& [setting, file] : {std::pair{"RECRUITING_KEY_PEPPER_FILE", "secrets/key-pepper"},
                                        std::pair{"RECRUITING_CURSOR_SECRET_FILE", "secrets/cursor-secret"}})
        if (std::error_code error; !given.contains(setting) && fs::exists(directory / file, error))
            out += std::string(" ") + setting + "=" + shell_word((directory / file).string());
    return out;
}

std::string lines_of(std::string_view output, std::string const& name) {
    std::string out;
    for (auto line : split(output, '\n')) {
        line = trim(line);
        if (line.starts_with(name + ": ")) line.remove_prefix(name.size() + 2);
        if (!line.empty()) out.append(out.empty() ? "" : "; ").append(line);
    }
    return out;
}

std::string without_slash(std::string url) {
    while (url.ends_with('/')) url.pop_back();
    return url;
}

} // namespace

std::string program::value(std::string const& setting) const {
    auto values = given;
    if (auto const named = values.find(setting + "_FILE"); named != values.end() && !named->second.empty())
        named->second = (working / named->second).string();
    std::string value;
    if (auto const problem = read_setting(values, setting, value)) throw std::runtime_error(*problem);
    return value.empty() && !given.contains(setting) ? value_in(defaults(), setting) : value;
}

std::vector<endpoint> program::admin() const {
    if (!admin_given.empty() || !here) return admin_given;
    std::string setting = "RECRUITING_";
    for (char const c : name) setting += c == '-' ? '_' : static_cast<char>(c - 'a' + 'A');
    auto const where = parse_endpoint(value(setting + "_ADMIN_LISTEN"));
    return where ? std::vector{*where} : admin_given;
}

site::site(fs::path settings_directory, settings of_recruitctl)
    : directory(std::move(settings_directory)), programs{read_program("gateway", directory),
                                                         read_program("auth-api", directory),
                                                         read_program("public-api", directory)},
      own(std::move(of_recruitctl)) {}

program const& site::of(std::string_view name) const { return *std::ranges::find(programs, name, &program::name); }

std::string site::own_setting(std::string const& name) const { return value_in(own, name); }

std::string site::path(std::string const& value) const { return value.empty() ? value : (working / value).string(); }

std::string site::url_of_gateway() const {
    if (!gateway_url.empty()) return without_slash(gateway_url);
    auto const& gateway = of("gateway");
    auto const listen = parse_endpoint(gateway.value("RECRUITING_GATEWAY_LISTEN"));
    auto const header = gateway.value("RECRUITING_GATEWAY_PROXY_PROTOCOL");
    if (gateway.here && listen && listen->unix_path.empty() && (header.empty() || header == "off"))
        return "http://" + to_string(reachable(*listen));
    return gateway.here && of("public-api").here ? without_slash(of("public-api").value("RECRUITING_PUBLIC_URL")) : "";
}

// The program checks them itself, so its rules are in one place.
outcome settings_accepted(site const& of, std::string_view name) {
    auto const& program = of.of(name);
    if (!program.here)
        return {verdict::skipped, "not installed here: there is no " + program.file,
                "run doctor on its host, or with --config-dir"};
    if (!program.wrong.empty()) return {verdict::problem, program.wrong};
    auto const binary = binary_of(program);
    if (binary.empty()) return {verdict::skipped, program.full_name() + " is not beside recruitctl nor in /usr/bin"};
    auto const seconds = std::to_string(std::chrono::duration<double>(of.limit).count());
    auto const [code, output] = output_of("cd " + shell_word(of.working.string()) + " && env -i" +
                                          credentials_in(of.directory, program.given) + " /usr/bin/timeout " + seconds +
                                          " " + shell_word(binary) + " --check --config " + shell_word(program.file));
    if (code == 0) return {verdict::ok, program.file};
    if (code == 124) return {verdict::skipped, binary + " --check timed out"};
    return {verdict::problem, program.file + ": " + lines_of(output, program.full_name())};
}

outcome public_url(site const& of, std::string_view) {
    auto const& mails = of.of("auth-api");
    auto const& pages = of.of("public-api");
    if (!mails.here && !pages.here)
        return {verdict::skipped, "neither auth-api nor public-api is installed here", "run doctor on their hosts"};
    auto const address = (pages.here ? pages : mails).value("RECRUITING_PUBLIC_URL");
    if (mails.here && mails.value("RECRUITING_PUBLIC_URL") != address)
        return {verdict::warning, "mails link to " + mails.value("RECRUITING_PUBLIC_URL") + ", pages to " + address};
    auto const environment = mails.value("RECRUITING_ENVIRONMENT");
    bool const live = (environment.empty() ? of.own_setting("RECRUITING_ENVIRONMENT") : environment) == "live";
    if (live && !address.starts_with("https://"))
        return {verdict::warning, "links in mails and pages are not https: " + address};
    return {verdict::ok, address};
}

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
    return evaluate_zones(known_everywhere);
}

outcome evaluate_zones(std::span<char const* const> names) {
    for (auto const* const name : names)
        if (!zones::is_zone(name))
            return {verdict::problem,
                    "the time zone " + std::string(name) + " is unknown: interviews can't be scheduled"};
    return {verdict::ok, "installed"};
}

} // namespace recruiting::recruitctl::doctor
