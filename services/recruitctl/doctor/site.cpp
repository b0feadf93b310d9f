// Where doctor finds the settings of the programs: in files that packages install, or that scripts/up writes. And the
// checks of these settings.
#include "core/redact.hpp"
#include "core/text.hpp"
#include "core/url.hpp"
#include "recruitctl/doctor/check.hpp"

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

std::string quoted(std::string const& text) {
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
            out += std::string(" ") + setting + "=" + quoted((directory / file).string());
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
    return value_in(given.contains(setting) ? given : defaults(), setting);
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
    auto const [code, output] =
        output_of("cd " + quoted(of.working.string()) + " && env -i" + credentials_in(of.directory, program.given) +
                  " /usr/bin/timeout " + seconds + " " + quoted(binary) + " --check --config " + quoted(program.file));
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

} // namespace recruiting::recruitctl::doctor
