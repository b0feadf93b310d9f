// The facts of settings_check: asks the programs, and looks at the files.
#include "core/file.hpp"
#include "core/redact.hpp"
#include "core/text.hpp"
#include "crypto/digest.hpp"
#include "recruitctl/doctor/settings_check.hpp"

#include <cerrno>
#include <future>
#include <sys/stat.h>

namespace recruiting::recruitctl::doctor {
namespace {

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
    if (!given.empty() || of.kind != kind_of_setup::packages) return given;
    for (auto const& one : credentials)
        if (setting == one.setting) return (of.directory / one.file).string();
    return {};
}

secret_file look_at(std::string program, std::string setting, std::string path) {
    secret_file out;
    out.program = std::move(program);
    out.setting = std::move(setting);
    out.path = std::move(path);
    struct stat status {};
    out.there = ::stat(out.path.c_str(), &status) == 0 || errno != ENOENT;
    out.mode = status.st_mode;
    std::string content;
    out.readable = !read_file(out.path, content);
    if (!out.readable) return out;
    while (!content.empty() && (content.back() == '\n' || content.back() == '\r')) content.pop_back();
    out.digest = to_hex(bytes_of(sha256(content)));
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
    if (program.file.empty()) return run_program(program.binary, {"--check"}, program.settings, limit);
    setting_values environment; // as its unit would set it: only where the file does not say it
    for (auto const& one : secret_settings)
        if (program.name == one.program && program.given(one.setting).empty())
            if (auto path = path_of(of, program, one.setting); !path.empty())
                environment.emplace(one.setting, std::move(path));
    return run_program(program.binary, {"--check", "--config", program.file}, environment, limit);
}

} // namespace

self_checks ask_programs(installation const& of, std::chrono::milliseconds limit) {
    std::array<std::future<std::optional<ended_program>>, 3> under_way;
    for (std::size_t i = 0; i < of.programs.size(); ++i)
        under_way[i] = std::async(std::launch::async, [&of, i, limit] { return ask(of, of.programs[i], limit); });
    self_checks out;
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = under_way[i].get();
    return out;
}

std::vector<secret_file> read_secrets(installation const& of) {
    std::vector<secret_file> out;
    if (auto const pepper = of.own_setting("RECRUITING_KEY_PEPPER_FILE"); !pepper.empty())
        out.push_back(look_at("recruitctl", "RECRUITING_KEY_PEPPER_FILE", pepper));
    for (auto const& one : secret_settings) {
        auto const& program = of.program(one.program);
        auto const path = program.here ? path_of(of, program, one.setting) : std::string();
        if (!path.empty()) out.push_back(look_at(one.program, one.setting, path));
    }
    for (auto const& program : of.programs)
        if (!program.file.empty() && holds_password(program)) out.push_back(look_at(program.name, {}, program.file));
    // It is for the password of the role that owns all data, whether or not this user can see one there.
    if (auto own = look_at("recruitctl", {}, (of.directory / "recruitctl.conf").string());
        of.kind == kind_of_setup::packages && own.there)
        out.push_back(std::move(own));
    auto const tls = of.program("gateway").setting("RECRUITING_GATEWAY_TLS_CERTIFICATES");
    for (auto const pair : split(tls, ','))
        if (auto const colon = pair.find(':'); colon != std::string_view::npos)
            out.push_back(
                look_at("gateway", "RECRUITING_GATEWAY_TLS_CERTIFICATES", std::string(trim(pair.substr(colon + 1)))));
    return out;
}

} // namespace recruiting::recruitctl::doctor
