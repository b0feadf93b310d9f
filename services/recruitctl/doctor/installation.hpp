// What is installed here: the programs, and the settings each of them has. Three kinds of setup: packages (files of
// settings in /etc/recruiting), scripts/up (running processes of a run directory), or neither, as in a container that
// holds recruitctl alone.
#pragma once
#include "core/settings.hpp"
#include "recruitctl/command.hpp"
#include "recruitctl/doctor/finding.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::recruitctl::doctor {

using setting_values = std::map<std::string, std::string>;

enum class setup_kind { packages, run_dir, none };

struct installed_program {
    std::string name; // "gateway", "auth-api", "public-api"
    bool here{false};
    std::string source;                   // "/etc/recruiting/gateway.conf", "process 4711"; or why it is not here
    bool broken{false};                   // it should be here, and source is what is wrong
    std::string binary;                   // empty: not found
    std::string file;                     // of settings; empty: none
    std::filesystem::path directory{"/"}; // relative paths among its settings begin here
    setting_values settings;              // as source gives them
    setting_values reported;              // as the running program does, with its defaults; empty: it does not
    /// To PostgreSQL, at most, as the running program reports.
    std::optional<std::int64_t> connections{};

    [[nodiscard]] std::string full_name() const { return "recruiting-" + name; }
    /// The setting's value, as the running program reports it, else as source gives it; empty: not set, or not known.
    [[nodiscard]] std::string setting(std::string const& of) const;
    /// As source gives it. Settings that decide where a secret is sent are read by this: whoever listens at a stopped
    /// program's admin port must not be sent any.
    [[nodiscard]] std::string given(std::string const& of) const;
    /// A path among its settings; empty stays empty.
    [[nodiscard]] std::string path(std::string const& value) const;
    [[nodiscard]] bool is_known() const { return here || !reported.empty(); }
};

inline constexpr std::array<char const*, 3> program_names = {"gateway", "auth-api", "public-api"};

struct installation {
    setup_kind kind{setup_kind::none};
    std::filesystem::path directory;
    std::array<installed_program, 3> programs;
    setting_values own; // recruitctl's

    /// Nothing is here; each program has its name.
    installation();
    [[nodiscard]] installed_program const& program(std::string_view name) const;
    [[nodiscard]] std::string own_setting(std::string const& of) const;
    /// What starts a program, or starts it again, for a fix.
    [[nodiscard]] std::string restart(std::string_view program) const;
    /// Where that program's setting is changed, for a fix.
    [[nodiscard]] std::string settings_location(std::string_view program) const;
};

struct installation_paths {
    std::filesystem::path config_directory{"/etc/recruiting"};
    std::filesystem::path run_directory; // empty: none
};
[[nodiscard]] installation find_installation(installation_paths const& where, setting_values own);

/// A file's content; nullopt: it can't be read.
[[nodiscard]] std::optional<std::string> content_of(std::filesystem::path const& path);
/// The same without newlines at its end, as programs read their secrets.
[[nodiscard]] std::optional<std::string> read_secret(std::filesystem::path const& path);

/// Does a process whose /proc/PID/status this is run as that user, and as no other?
[[nodiscard]] bool runs_as(std::string_view status, std::uintmax_t user);

/// "RECRUITING_AUTH_API_ADMIN_LISTEN" of a program, or what it is by default.
[[nodiscard]] endpoint admin_address(installed_program const& of);

} // namespace recruiting::recruitctl::doctor

namespace recruiting::recruitctl {

// Where doctor finds the programs: by --config-dir, --run-dir and one option per program.

[[nodiscard]] doctor::installation_paths installation_paths_of(invocation const& call);
/// The admin ports that --gateway, --auth-api or --public-api gives for the program of this name. Throws usage_error.
[[nodiscard]] std::vector<endpoint> admin_ports(invocation const& call, std::string const& program);

} // namespace recruiting::recruitctl
