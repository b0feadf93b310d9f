// The checks of recruitctl doctor. diagnose.cpp declares them in a table: name, question, advice, and the function that
// answers. They run beside each other, each on a thread of its own that is abandoned when it takes too long, because a
// server that hangs must not hang its doctor.
#pragma once
#include "core/settings.hpp"
#include "recruitctl/command.hpp"
#include "recruitctl/commands/migrations.hpp"
#include "recruitctl/commands/pepper.hpp"
#include "transfer/smtp_exchange.hpp"

#include <boost/json.hpp>

#include <array>
#include <chrono>
#include <filesystem>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::recruitctl::doctor {

// From good to bad.
enum class verdict {
    ok,
    skipped, // could not be checked: nothing is known
    warning, // works, and will hurt some day
    problem, // does not work, or is not safe
};
[[nodiscard]] std::string_view to_string(verdict of) noexcept;

/// What a check found, in one line. advice: instead of the table's, for what that does not fit; for a skipped check,
/// what would make it possible.
struct outcome {
    verdict is{verdict::skipped};
    std::string text;
    std::string advice{};
};

struct program {
    std::string name;                   // "auth-api"
    std::string file;                   // of its settings
    bool here{false};                   // the file is there
    std::string wrong;                  // with the file; empty: nothing
    settings given;                     // by the file
    std::vector<endpoint> admin_given;  // by an option
    std::filesystem::path working{"/"}; // relative paths among the settings begin here

    [[nodiscard]] std::string full_name() const { return "recruiting-" + name; }
    /// What the program's file sets, or a file that it names for the setting; else the program's default where doctor
    /// needs it, else empty. Throws std::runtime_error when a file can't be read.
    [[nodiscard]] std::string value(std::string const& setting) const;
    /// Where its admin port is asked; empty: it is not known here.
    [[nodiscard]] std::vector<endpoint> admin() const;
};

/// What is checked: the settings of the programs of this host, and recruitctl's own.
struct site {
    std::filesystem::path directory;    // of the programs' settings
    std::filesystem::path working{"/"}; // relative paths among them begin here
    std::array<program, 3> programs;    // gateway, auth-api, public-api
    settings own;
    std::string gateway_url; // where clients reach the gateway; empty: as the programs' settings say
    std::vector<migration> migrations;
    std::string no_migrations; // why there are none
    std::chrono::milliseconds limit{5'000};

    /// Reads the files of settings in a directory.
    site(std::filesystem::path settings_directory, settings of_recruitctl);
    [[nodiscard]] program const& of(std::string_view name) const;
    [[nodiscard]] std::string own_setting(std::string const& name) const;
    /// A path among the programs' settings; empty stays empty.
    [[nodiscard]] std::string path(std::string const& value) const;
    /// Where clients reach the gateway; empty: it is not known here.
    [[nodiscard]] std::string url_of_gateway() const;
};

struct check {
    std::string_view name;     // "reach.mail": its group, a dot, its own name
    std::string_view question; // PROGRAM stands for the program's name, here and below
    std::string_view advice;
    /// Throws when nothing is known: then the check is skipped, in the group "reach" a problem.
    outcome (*answer)(site const&, std::string_view program);
    std::string_view program{};

    [[nodiscard]] std::string_view group() const { return name.substr(0, name.find('.')); }
};
/// In the order in which they are shown.
[[nodiscard]] std::span<check const> all_checks();
/// text with the program's name in it.
[[nodiscard]] std::string named(std::string_view text, check const& of);

struct finding {
    check const* of;
    outcome found; // with its advice, none when ok
};
using findings = std::vector<finding>;

/// All of them. Changes nothing, and takes the limit and two seconds at most.
[[nodiscard]] findings diagnose(site of);
[[nodiscard]] std::size_t count(findings const& all, verdict is) noexcept;

/// Lines for people. Control characters, which names and answers of others may hold, are not printed; nor are keys.
void print_report(std::ostream& out, findings const& all, bool colour);
[[nodiscard]] boost::json::object to_json(findings const& all);

/// The worst of several, with the texts of all that are as bad.
[[nodiscard]] outcome worst_of(std::vector<outcome> each);
/// "1 row", "2 rows".
[[nodiscard]] std::string counted(std::int64_t number, std::string_view noun);

// The answers, each named as its check. postgres_login, program_… and through_gateway are for each program.

[[nodiscard]] outcome settings_accepted(site const& of, std::string_view program);
[[nodiscard]] outcome public_url(site const& of, std::string_view);
[[nodiscard]] outcome postgres_login(site const& of, std::string_view program); // empty: recruitctl
[[nodiscard]] outcome redis_reached(site const& of, std::string_view);
[[nodiscard]] outcome redis_memory(site const& of, std::string_view);
[[nodiscard]] outcome program_ready(site const& of, std::string_view program);
[[nodiscard]] outcome through_gateway(site const& of, std::string_view program);
[[nodiscard]] outcome mail_relay(site const& of, std::string_view);
[[nodiscard]] outcome model_server(site const& of, std::string_view);
[[nodiscard]] outcome postgres_clock(site const& of, std::string_view);
[[nodiscard]] outcome postgres_roles(site const& of, std::string_view);
[[nodiscard]] outcome database_encoding(site const& of, std::string_view);
[[nodiscard]] outcome database_zones(site const& of, std::string_view);
[[nodiscard]] outcome durability(site const& of, std::string_view);
[[nodiscard]] outcome statistics_hidden(site const& of, std::string_view);
[[nodiscard]] outcome restore_followed_up(site const& of, std::string_view);
[[nodiscard]] outcome pepper_matches(site const& of, std::string_view);
[[nodiscard]] outcome schema_version(site const& of, std::string_view);
[[nodiscard]] outcome sealing(site const& of, std::string_view);
[[nodiscard]] outcome certificates(site const& of, std::string_view);
[[nodiscard]] outcome time_zones(site const& of, std::string_view);

/// Zones that every installation of time zone data has.
inline constexpr std::array known_zones{"Europe/Berlin", "America/New_York", "Asia/Tokyo"};

/// The server of RECRUITING_MAIL_URL, TLS and login by auth-api's settings. nullopt: no SMTP server.
[[nodiscard]] std::optional<transfer::smtp_request> mail_server_of(site const& of);

// What decides them, where a test can't bring the facts about.

/// difference: of two clocks; uncertainty: half the time that the question took.
[[nodiscard]] outcome evaluate_clock(std::chrono::microseconds difference, std::chrono::microseconds uncertainty);
/// info: Redis' answer to INFO memory.
[[nodiscard]] outcome evaluate_memory(std::string_view info);
[[nodiscard]] outcome evaluate_zones(std::span<char const* const> names);

} // namespace recruiting::recruitctl::doctor
