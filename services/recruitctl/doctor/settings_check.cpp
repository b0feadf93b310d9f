#include "recruitctl/doctor/settings_check.hpp"

#include "core/redact.hpp"
#include "core/text.hpp"
#include "crypto/digest.hpp"

#include <algorithm>
#include <cerrno>
#include <future>
#include <sys/stat.h>

namespace recruiting::recruitctl::doctor {
namespace {

// The facts of settings_check: asks the programs, and reads the files.

// Units give these to the programs as credentials (systemd.exec(5), LoadCredential=), from here.
struct credential {
    char const* setting;
    char const* file; // below the directory of the settings
};
constexpr std::array<credential, 2> credentials{
    {{"RECRUITING_KEY_PEPPER_FILE", "secrets/key-pepper"}, {"RECRUITING_CURSOR_SECRET_FILE", "secrets/cursor-secret"}}};

struct secret_setting {
    char const* program;
    char const* setting;
};
constexpr std::array<secret_setting, 5> secret_settings{{{"auth-api", "RECRUITING_KEY_PEPPER_FILE"},
                                                         {"auth-api", "RECRUITING_CURSOR_SECRET_FILE"},
                                                         {"auth-api", "RECRUITING_MAIL_PASSWORD_FILE"},
                                                         {"auth-api", "RECRUITING_AGENT_MODEL_API_KEY_FILE"},
                                                         {"public-api", "RECRUITING_CURSOR_SECRET_FILE"}}};

// The path a program gets for a secret; empty: none that is known here.
std::string path_of(installation const& of, installed_program const& program, std::string const& setting) {
    auto const given = program.path(program.given(setting));
    if (!given.empty() || of.kind != setup_kind::packages) return given;
    for (auto const& one : credentials)
        if (setting == one.setting) return (of.directory / one.file).string();
    return {};
}

secret_file read_secret_file(std::string program, std::string setting, std::string path) {
    secret_file out;
    out.program = std::move(program);
    out.setting = std::move(setting);
    out.path = std::move(path);
    struct stat status {};
    out.there = ::stat(out.path.c_str(), &status) == 0 || errno != ENOENT;
    out.mode = status.st_mode;
    auto const content = read_secret(out.path);
    out.readable = content.has_value();
    if (content) out.digest = to_hex(bytes_of(sha256(*content)));
    return out;
}

bool holds_password(installed_program const& program) {
    for (auto const& [name, value] : program.settings)
        if (redact_url(value) != value || name == "RECRUITING_AGENT_MODEL_API_KEY") return true;
    return false;
}

std::optional<ended_program> ask(installation const& of, installed_program const& program,
                                 std::chrono::milliseconds limit) {
    if (!program.here || program.binary.empty()) return std::nullopt;
    auto const directory = program.directory.string(); // relative paths among its settings begin here
    if (program.file.empty()) return run_program(program.binary, {"--check"}, program.settings, limit, directory);
    setting_values environment; // as its unit would set it: only what the file does not set
    for (auto const& one : secret_settings)
        if (program.name == one.program && program.given(one.setting).empty())
            if (auto path = path_of(of, program, one.setting); !path.empty())
                environment.emplace(one.setting, std::move(path));
    return run_program(program.binary, {"--check", "--config", program.file}, environment, limit, directory);
}

} // namespace

self_checks ask_programs(installation const& of, std::chrono::milliseconds limit) {
    std::array<std::future<std::optional<ended_program>>, 3> in_flight;
    for (std::size_t i = 0; i < of.programs.size(); ++i)
        in_flight[i] = std::async(std::launch::async, [&of, i, limit] { return ask(of, of.programs[i], limit); });
    self_checks out;
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = in_flight[i].get();
    return out;
}

std::vector<secret_file> read_secrets(installation const& of) {
    std::vector<secret_file> out;
    if (auto const pepper = of.own_setting("RECRUITING_KEY_PEPPER_FILE"); !pepper.empty())
        out.push_back(read_secret_file("recruitctl", "RECRUITING_KEY_PEPPER_FILE", pepper));
    for (auto const& one : secret_settings) {
        auto const& program = of.program(one.program);
        auto const path = program.here ? path_of(of, program, one.setting) : std::string();
        if (!path.empty()) out.push_back(read_secret_file(one.program, one.setting, path));
    }
    for (auto const& program : of.programs)
        if (!program.file.empty() && holds_password(program))
            out.push_back(read_secret_file(program.name, {}, program.file));
    // It is for the password of the role that owns all data, whether or not this user can see one there.
    if (auto own = read_secret_file("recruitctl", {}, (of.directory / "recruitctl.conf").string());
        of.kind == setup_kind::packages && own.there)
        out.push_back(std::move(own));
    auto const& gateway = of.program("gateway");
    auto const tls = gateway.setting("RECRUITING_GATEWAY_TLS_CERTIFICATES");
    for (auto const pair : split(tls, ','))
        if (auto const colon = pair.find(':'); colon != std::string_view::npos)
            out.push_back(read_secret_file("gateway", "RECRUITING_GATEWAY_TLS_CERTIFICATES",
                                           gateway.path(std::string(trim(pair.substr(colon + 1))))));
    return out;
}

namespace {

constexpr mode_t others_may_read = 0004;

std::string lines_of(std::string_view output, std::string const& program) {
    std::string out;
    for (auto line : split(output, '\n')) {
        line = trim(line);
        if (line.starts_with(program + ": ")) line.remove_prefix(program.size() + 2);
        if (!line.empty()) out.append(out.empty() ? "" : "; ").append(line);
    }
    return out;
}

finding check_program(installation const& of, installed_program const& program,
                      std::optional<ended_program> const& result) {
    auto const check = "settings." + program.name;
    if (program.broken) {
        bool const conf = of.kind == setup_kind::packages;
        return problem(check, program.source,
                       conf ? "fix the file, or run recruitctl doctor as root" : of.restart(program.name));
    }
    if (!program.here)
        return skipped(check, "not installed here: " + program.source,
                       "on the host that has it, or with --config-dir or --run-dir");
    if (!result)
        return skipped(check, program.full_name() + " is not beside recruitctl nor in /usr/bin, so " + program.source +
                                  " was not checked");
    if (result->code == 0) return ok(check, "valid (" + program.source + ")");
    if (result->code < 0) return skipped(check, program.binary + " --check: " + result->why);
    return problem(check, lines_of(result->output, program.full_name()),
                   "change it in " + of.settings_location(program.name) + ", then " + of.restart(program.name));
}

finding check_secret(installation const& of, secret_file const& file) {
    auto const check = "secrets." + file.program;
    auto const what = file.setting.empty() ? file.path : file.setting + " (" + file.path + ")";
    if (!file.there)
        return problem(check, what + " is not there",
                       of.kind == setup_kind::run_dir ? "scripts/up" : "restore the secret from its backup");
    if ((file.mode & others_may_read) != 0)
        return problem(check, "all users of this host can read " + what,
                       "chmod o-rwx " + file.path + ", and replace the secret if others can log in here");
    if (!file.readable) return skipped(check, what + " can't be read by this user", "run recruitctl doctor as root");
    return ok(check, what + " is readable, and not by all users");
}

secret_file const* find(std::vector<secret_file> const& files, std::string_view program, std::string_view setting) {
    auto const found = std::ranges::find_if(files, [&](secret_file const& file) {
        return file.program == program && file.setting == setting && file.readable;
    });
    return found == files.end() ? nullptr : &*found;
}

void check_equal_pepper(installation const& of, std::vector<secret_file> const& files, findings& out) {
    auto const* const ours = find(files, "recruitctl", "RECRUITING_KEY_PEPPER_FILE");
    auto const* const theirs = find(files, "auth-api", "RECRUITING_KEY_PEPPER_FILE");
    auto const* const check = "secrets.pepper";
    if (ours == nullptr || theirs == nullptr)
        out.push_back(skipped(
            check,
            std::string("known only if the peppers of recruitctl and auth-api are both available here: missing for ") +
                (ours == nullptr ? "recruitctl" : "auth-api"),
            "RECRUITING_KEY_PEPPER_FILE"));
    else if (ours->digest == theirs->digest) out.push_back(ok(check, "recruitctl and auth-api have the same"));
    else
        out.push_back(problem(check, "recruitctl hashes keys with another pepper than auth-api: its keys are rejected",
                              "let RECRUITING_KEY_PEPPER_FILE of recruitctl (" + ours->path +
                                  ") be that of auth-api (" + theirs->path + ")"));
    auto const* const cursors = find(files, "auth-api", "RECRUITING_CURSOR_SECRET_FILE");
    if (theirs != nullptr && cursors != nullptr && theirs->digest == cursors->digest)
        out.push_back(warning(check, "the pepper and the cursor secret are the same",
                              "give " + of.settings_location("auth-api") +
                                  " another RECRUITING_CURSOR_SECRET_FILE; a new pepper would invalidate all keys"));
}

std::string shown(std::string const& value) { return value.empty() ? "not set" : value; }

} // namespace

findings check_settings(installation const& of, self_checks const& results) {
    findings out;
    for (std::size_t i = 0; i < of.programs.size(); ++i) out.push_back(check_program(of, of.programs[i], results[i]));
    return out;
}

findings check_secrets(installation const& of, std::vector<secret_file> const& files) {
    findings out;
    for (auto const& file : files) out.push_back(check_secret(of, file));
    check_equal_pepper(of, files, out);
    return out;
}

findings check_agreement(installation const& of) {
    findings out;
    auto const& auth = of.program("auth-api");
    auto const& pages = of.program("public-api");
    auto const theirs = auth.setting("RECRUITING_ENVIRONMENT");
    auto const ours = of.own_setting("RECRUITING_ENVIRONMENT");
    if (!auth.is_known()) out.push_back(skipped("settings.environment", "auth-api is not here to compare with"));
    else if (theirs.empty())
        out.push_back(
            skipped("settings.environment", "auth-api is not running, and " + auth.source + " does not set it"));
    else if (ours == theirs) out.push_back(ok("settings.environment", "recruitctl and auth-api: " + ours));
    else
        out.push_back(problem("settings.environment",
                              "recruitctl makes " + ours + " keys, auth-api accepts " + theirs + " ones",
                              "let RECRUITING_ENVIRONMENT of recruitctl be " + theirs));
    auto const mails = auth.setting("RECRUITING_PUBLIC_URL");
    auto const links = pages.setting("RECRUITING_PUBLIC_URL");
    if (!auth.is_known() || !pages.is_known()) return out;
    if (mails != links)
        out.push_back(
            warning("settings.public-url",
                    "mails link to another address (" + shown(mails) + ") than pages do (" + shown(links) + ")",
                    "set the same RECRUITING_PUBLIC_URL for auth-api and public-api"));
    else if (theirs == "live" && !links.starts_with("https://"))
        out.push_back(warning("settings.public-url", "links in mails and pages are not https: " + shown(links),
                              "let RECRUITING_PUBLIC_URL be the https address that browsers use"));
    else out.push_back(ok("settings.public-url", shown(links)));
    return out;
}

} // namespace recruiting::recruitctl::doctor
