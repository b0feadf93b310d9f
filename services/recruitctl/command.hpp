// What a command of recruitctl is, and how one is run: a declaration with its words, options and function. Parsing,
// --help, completion (cli/) and exit codes (run.hpp) follow from it; its function only does its work and prints.
//
// A group of commands is one file, commands/<group>.cpp or <group>/command.cpp, with a function
// `std::vector<command> <group>_commands()`, declared and listed in commands.hpp and commands.cpp.
#pragma once
#include "pg/client.hpp"

#include <functional>
#include <iosfwd>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::recruitctl {

enum exit_code : int { done = 0, failed = 1, usage = 2, database_away = 3, partial = 4 };

/// The command can't do what it was asked: told on standard error, exit code 1.
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
/// else does (with --json one JSON document); progress and reports of problems go to err.
class invocation {
public:
    invocation(arguments given, settings const& environment, std::ostream& to_out, std::ostream& to_err);
    ~invocation();

    [[nodiscard]] bool has(std::string_view option) const; // given at all
    /// The option's value; one that is not required and not given is a bug in the command: use find.
    [[nodiscard]] std::string const& get(std::string_view option) const;
    [[nodiscard]] std::optional<std::string> find(std::string_view option) const;
    [[nodiscard]] std::vector<std::string> list(std::string_view option) const;
    /// A whole number of at least `least` and at most `most`, or fallback; throws usage_error.
    [[nodiscard]] std::int64_t number(std::string_view option, std::int64_t fallback, std::int64_t least,
                                      std::int64_t most) const;
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
    std::string operands;                // "FILE": names, space-separated, each required; empty: none
    std::vector<option> options;         // --json and --help are added to every command
    std::function<int(invocation&)> run; // an exit_code
    std::string details;                 // more for --help, may be empty
};

/// An aligned table for people: the first row is the head.
void print_table(std::ostream& out, std::vector<std::vector<std::string>> const& table_rows);

} // namespace recruiting::recruitctl
