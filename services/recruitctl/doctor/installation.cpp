#include "recruitctl/doctor/installation.hpp"

#include "core/file.hpp"
#include "core/text.hpp"

#include <algorithm>
#include <cctype>
#include <sys/stat.h>
#include <unistd.h>

namespace recruiting::recruitctl::doctor {
namespace {

namespace fs = std::filesystem;

std::string value_in(setting_values const& values, std::string const& name) {
    auto const found = values.find(name);
    return found == values.end() ? std::string() : found->second;
}

// Beside recruitctl, as packages and builds put them, or where packages do.
std::string find_binary(std::string const& name) {
    std::error_code ignored;
    auto const beside = fs::read_symlink("/proc/self/exe", ignored).parent_path() / name;
    for (auto const& candidate : {beside, fs::path("/usr/bin") / name})
        if (::access(candidate.c_str(), X_OK) == 0) return candidate.string();
    return {};
}

installed_program of_package(std::string const& name, fs::path const& directory) {
    installed_program out;
    out.name = name;
    out.binary = find_binary(out.full_name());
    auto const file = directory / (name + ".conf");
    std::error_code error;
    if (!fs::exists(file, error) && !error) {
        out.source = "there is no " + file.string();
        return out;
    }
    out.source = file.string();
    if (auto const wrong = read_settings_file(file.string(), out.settings)) {
        out.broken = true;
        out.source = *wrong;
        return out;
    }
    out.here = true;
    out.file = file.string();
    return out;
}

setting_values settings_in(std::string_view environment) {
    setting_values out;
    for (auto const entry : split(environment, '\0')) {
        auto const equals = entry.find('=');
        if (entry.starts_with("RECRUITING_") && equals != std::string_view::npos)
            out.emplace(entry.substr(0, equals), entry.substr(equals + 1));
    }
    return out;
}

std::string upper_case(std::string text) {
    for (auto& c : text) c = c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return text;
}

// Nobody else may decide what this user connects to.
bool owned_by_us(fs::path const& file) {
    struct stat status {};
    return ::stat(file.c_str(), &status) == 0 && status.st_uid == ::geteuid();
}

std::string admin_setting(std::string const& program) { return "RECRUITING_" + upper_case(program) + "_ADMIN_LISTEN"; }

installed_program of_run_directory(std::string const& name, fs::path const& directory) {
    installed_program out;
    out.name = name;
    out.broken = true;
    // Where it listened last, and will again: all that is known of one whose process is gone.
    auto const kept = directory / "state" / ("listen." + name + "-admin");
    if (owned_by_us(kept)) out.settings.emplace(admin_setting(name), trim(content_of(kept).value_or("")));
    auto const pid = content_of(directory / (name + ".pid"));
    if (!pid) {
        out.source = name + " was not started in " + directory.string();
        return out;
    }
    auto const process = fs::path("/proc") / std::string(trim(*pid));
    auto const environment = content_of(process / "environ");
    std::error_code error;
    auto binary = fs::read_symlink(process / "exe", error).string();
    if (auto const gone = binary.rfind(" (deleted)"); gone != std::string::npos) binary.resize(gone);
    // The number may be another process's by now.
    if (!environment || error || fs::path(binary).filename() != out.full_name()) {
        out.source = "process " + std::string(trim(*pid)) + " of " + directory.string() + " is not running";
        return out;
    }
    // Its program is run, and files its settings name are read: not with more rights than it has itself.
    if (!runs_as(content_of(process / "status").value_or(""), ::geteuid())) {
        out.source = "process " + std::string(trim(*pid)) + " of " + directory.string() +
                     " belongs to another user: run the command as that user";
        return out;
    }
    out.broken = false;
    out.here = true;
    out.source = "process " + std::string(trim(*pid));
    out.binary = binary;
    out.directory = fs::read_symlink(process / "cwd", error);
    out.settings = settings_in(*environment);
    return out;
}

} // namespace

std::optional<std::string> content_of(fs::path const& path) {
    std::string content;
    if (read_file(path.string(), content)) return std::nullopt;
    return content;
}

std::optional<std::string> read_secret(fs::path const& path) {
    auto content = content_of(path);
    if (content) content->resize(content->find_last_not_of("\r\n") + 1);
    return content;
}

// Real, effective, saved and of the file system. The owner of /proc/PID is no proof: it is root's where a process may
// not be traced.
bool runs_as(std::string_view status, std::uintmax_t user) {
    auto const at = status.find("\nUid:");
    if (at == std::string_view::npos) return false;
    auto const line = status.substr(at + 5, status.find('\n', at + 1) - at - 5);
    int found = 0;
    for (auto const word : split(line, '\t')) {
        auto const number = trim(word);
        if (number.empty()) continue;
        if (parse_number<std::uintmax_t>(number) != user) return false;
        ++found;
    }
    return found == 4;
}

std::string installed_program::setting(std::string const& of) const {
    auto const found = reported.find(of);
    return found == reported.end() ? given(of) : found->second;
}

std::string installed_program::given(std::string const& of) const { return value_in(settings, of); }

std::string installed_program::path(std::string const& value) const {
    return value.empty() ? value : (directory / value).string();
}

installation::installation() {
    for (std::size_t i = 0; i < programs.size(); ++i) programs[i].name = program_names[i];
}

installed_program const& installation::program(std::string_view name) const {
    return *std::ranges::find(programs, name, &installed_program::name);
}

std::string installation::own_setting(std::string const& of) const { return value_in(own, of); }

std::string installation::restart(std::string_view program) const {
    if (kind == setup_kind::run_dir) return "scripts/up --only " + std::string(program);
    if (kind == setup_kind::packages) return "recruiting-" + std::string(program) + "-handover";
    return "restart recruiting-" + std::string(program);
}

std::string installation::settings_location(std::string_view program) const {
    if (kind == setup_kind::packages) return (directory / (std::string(program) + ".conf")).string();
    if (kind == setup_kind::run_dir) return "the environment of scripts/up";
    return "the settings of recruiting-" + std::string(program);
}

installation find_installation(installation_paths const& where, setting_values own) {
    installation out;
    out.own = std::move(own);
    std::error_code ignored;
    if (!where.run_directory.empty()) out.kind = setup_kind::run_dir;
    else if (fs::is_directory(where.config_directory, ignored)) out.kind = setup_kind::packages;
    out.directory = out.kind == setup_kind::run_dir ? where.run_directory : where.config_directory;
    for (std::size_t i = 0; i < program_names.size(); ++i)
        out.programs[i] = out.kind == setup_kind::run_dir ? of_run_directory(program_names[i], out.directory)
                                                          : of_package(program_names[i], out.directory);
    return out;
}

endpoint admin_address(installed_program const& of) {
    auto const set = parse_endpoint(of.given(admin_setting(of.name)));
    if (set) return *set;
    auto const port = of.name == "gateway" ? 9080 : of.name == "auth-api" ? 9081 : 9082;
    return {"127.0.0.1", static_cast<std::uint16_t>(port), {}};
}

} // namespace recruiting::recruitctl::doctor

namespace recruiting::recruitctl {

doctor::installation_paths installation_paths_of(invocation const& call) {
    doctor::installation_paths out;
    if (auto const given = call.find("--config-dir")) out.config_directory = *given;
    else out.run_directory = call.setting("RECRUITING_UP_DIR").value_or("");
    if (auto const given = call.find("--run-dir")) out.run_directory = *given;
    return out;
}

std::vector<endpoint> admin_ports(invocation const& call, std::string const& program) {
    auto const option = "--" + program;
    std::vector<endpoint> out;
    for (auto const& text : call.list(option)) {
        auto const where = parse_endpoint(text);
        if (!where) throw usage_error(option + " must be HOST:PORT or unix:/path, of the admin port");
        out.push_back(*where);
    }
    return out;
}

} // namespace recruiting::recruitctl
