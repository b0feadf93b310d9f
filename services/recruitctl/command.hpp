// What a command of recruitctl is, and how one is run: a declaration with its words, options and function. Parsing,
// --help (cli/) and exit codes (command.cpp) follow from it; its function only does its work and prints.
//
// A group of commands is one file, commands/<group>.cpp or <group>/command.cpp, with a function
// `std::vector<command> <group>_commands()`, declared below and listed in command.cpp.
#pragma once
#include "core/ids.hpp"
#include "core/settings.hpp"
#include "pg/client.hpp"

#include <chrono>
#include <functional>
#include <iosfwd>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::recruitctl {

enum exit_code : int { done = 0, failed = 1, usage = 2, database_unavailable = 3, partial = 4 };

/// The command can't do what it was asked: reported on standard error, exit code 1.
class failure : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};
/// It was asked wrongly, or a setting is missing or wrong: exit code 2, with a pointer to --help.
class usage_error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

struct option {
    std::string name;  // "--organization"
    std::string value; // "SLUG": what --help calls its value; empty: a flag
    std::string help;
    bool required{false};
    bool many{false}; // comma-separated, and may be given again
};

/// What a call gives: options with their values (a flag has none), and operands.
struct arguments {
    std::map<std::string, std::vector<std::string>, std::less<>> options;
    std::vector<std::string> operands;
};

/// RECRUITING_* variables by name; tests give their own.
using settings = std::map<std::string, std::string>;

/// One call of a command: its checked arguments, its settings, and where it writes. Results go to out, and nothing
/// else does (with --json one JSON document); reports of problems go to err.
class invocation {
public:
    invocation(arguments given, settings const& environment, std::ostream& to_out, std::ostream& to_err);

    [[nodiscard]] bool has(std::string_view option) const; // given at all
    /// The option's value; one that is not required and not given is a bug in the command: use find.
    [[nodiscard]] std::string const& get(std::string_view option) const;
    [[nodiscard]] std::optional<std::string> find(std::string_view option) const;
    [[nodiscard]] std::optional<uuid> find_id(std::string_view option) const; // throws usage_error
    /// --url, or nullopt for --clear; throws usage_error unless exactly one of them is given.
    [[nodiscard]] std::optional<std::string> url_or_clear() const;
    [[nodiscard]] std::vector<std::string> list(std::string_view option) const;
    /// A whole number of at least `least` and at most `most`, or fallback; throws usage_error.
    [[nodiscard]] std::int64_t number(std::string_view option, std::int64_t fallback, std::int64_t least,
                                      std::int64_t most) const;
    /// A duration such as 30s, or fallback; throws usage_error.
    [[nodiscard]] std::chrono::milliseconds duration(std::string const& option, std::string_view fallback) const;
    [[nodiscard]] std::vector<std::string> const& operands() const noexcept { return given_.operands; }

    [[nodiscard]] bool json() const { return has("--json"); }
    /// A RECRUITING_* setting; an empty one counts as not set.
    [[nodiscard]] std::optional<std::string> setting(std::string const& name) const;
    /// Connects at the first call, as RECRUITING_DATABASE_URL says; throws usage_error when that is not set, and
    /// pg::connection_lost (exit code 3).
    [[nodiscard]] pg::client& database();
    [[nodiscard]] std::string database_url() const;

    std::ostream& out;
    std::ostream& err;

private:
    arguments given_;
    settings const& settings_;
    std::unique_ptr<pg::client> client_;
};

struct command {
    std::string words;                   // "key create"
    std::string summary;                 // a sentence for --help
    std::vector<option> options;         // --json and --help are added to every command
    std::function<int(invocation&)> run; // an exit_code
    std::string details{};               // more for --help, may be empty
    std::string operands{};              // "FILE": names, space-separated, each required; empty: none
};

// The groups.
std::vector<command> migrate_commands();
std::vector<command> organization_commands();
std::vector<command> member_commands();
std::vector<command> key_commands();
std::vector<command> candidate_commands();
std::vector<command> import_commands();
std::vector<command> demo_commands();
std::vector<command> audit_commands();
std::vector<command> restore_commands();
std::vector<command> mail_commands();
std::vector<command> slots_commands();
std::vector<command> webhook_commands();
std::vector<command> doctor_commands();

/// All of them, in the order --help shows them.
std::vector<command> all_commands();

// Where settings come from: the environment, and below it a file.

/// What the package installs and an operator fills in; used by anyone who may read it.
inline constexpr char const* installed_file = "/etc/recruiting/recruitctl.conf";

/// Names, defaults and ranges of what recruitctl reads from the environment; commands read the values.
[[nodiscard]] settings_reader own_settings();

/// The settings of the named file, else of `installed` if it can be read, else of none; the environment's win.
/// Throws usage_error.
[[nodiscard]] settings configured(std::optional<std::string> const& named, settings const& environment,
                                  std::string const& installed);

/// What a command line asks for, by the declarations of the commands; --help is made from the same.
struct command_line {
    command const* chosen{nullptr};         // nothing: print `text`, or report `problem`
    arguments given;                        // for the chosen command
    std::optional<std::string> config_file; // --config FILE
    std::string problem;                    // everything that is wrong, in one sentence
    std::string text;                       // what was asked for in place of a command, or the commands there are
};

/// Everything wrong with the arguments is found at once. What is returned refers to `commands`.
[[nodiscard]] command_line read_command_line(std::vector<command> const& commands,
                                             std::vector<std::string> const& words);

/// Finds the command of the words (the arguments without the program's name), runs it, and turns what it throws into a
/// sentence on err and an exit code. Settings come from the environment, then from --config, else from `installed`.
[[nodiscard]] int run(std::vector<command> const& commands, std::vector<std::string> const& words,
                      settings const& environment, std::ostream& out, std::ostream& err,
                      std::string const& installed = "");

} // namespace recruiting::recruitctl
