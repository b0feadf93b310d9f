#include "recruitctl/help.hpp"

#include "core/text.hpp"
#include "recruitctl/configuration.hpp"

#include <algorithm>
#include <iomanip>
#include <ostream>

namespace recruiting::recruitctl {
namespace {

std::string first_word(std::string const& words) { return words.substr(0, words.find(' ')); }

void print_columns(std::ostream& out, std::vector<std::pair<std::string, std::string>> const& lines) {
    std::size_t width = 0;
    for (auto const& [name, text] : lines) width = std::max(width, name.size());
    for (auto const& [name, text] : lines)
        out << "  " << std::left << std::setw(static_cast<int>(width + 2)) << name << text << '\n';
}

std::string synopsis(option const& of) {
    auto text = of.value.empty() ? of.name : of.name + " " + of.value;
    if (of.many) text += "[,…]";
    return of.required ? text : "[" + text + "]";
}

} // namespace

settings_reader own_settings() {
    static std::string ignored; // the values are read by the commands that need them
    static std::string environment{"test"};
    settings_reader reader("recruitctl", "administers the recruiting platform", "RECRUITING_RECRUITCTL_");
    reader.text("RECRUITING_DATABASE_URL", ignored, "PostgreSQL's connection string, as the role recruiting_owner.");
    reader.text("RECRUITING_KEY_PEPPER_FILE", ignored,
                "A file of at least 32 random bytes, outside the database: the key under which API keys are hashed.");
    reader.choice("RECRUITING_ENVIRONMENT", environment, {"live", "test"},
                  "Which keys are made: sp_live_ or sp_test_.");
    reader.text("RECRUITING_MIGRATIONS_DIR", ignored, "Where the migrations are, if not beside the program.");
    return reader;
}

void print_command_help(std::ostream& out, command const& of) {
    out << "recruitctl " << of.words;
    for (auto const& option : of.options)
        if (option.required) out << ' ' << synopsis(option);
    for (auto const& option : of.options)
        if (!option.required) out << ' ' << synopsis(option);
    if (!of.operands.empty()) out << ' ' << of.operands;
    out << "\n\n" << of.summary << "\n\n";
    std::vector<std::pair<std::string, std::string>> lines;
    for (auto const& option : of.options) lines.emplace_back(option.name + " " + option.value, option.help);
    lines.emplace_back("--help", "print this");
    print_columns(out, lines);
    if (!of.details.empty()) out << '\n' << of.details << '\n';
    out << "\nExit codes: 0 done, 1 failed, 2 wrong usage or settings, 3 the database is away, 4 done in part.\n";
}

void print_overview(std::ostream& out, std::vector<command> const& commands, std::string const& group) {
    std::vector<std::pair<std::string, std::string>> lines;
    for (auto const& candidate : commands)
        if (first_word(candidate.words) == group) lines.emplace_back(candidate.words, candidate.summary);
    auto const whole = lines.empty();
    if (whole)
        for (auto const& candidate : commands) lines.emplace_back(candidate.words, candidate.summary);
    out << "usage: recruitctl [--config FILE] COMMAND [OPTIONS]\n\n";
    print_columns(out, lines);
    out << "\nrecruitctl COMMAND --help tells more of each.\n";
    if (!whole) return;
    out << "\nSettings, from the environment, and below it from the file of --config, else from\n"
        << installed_file << " where that can be read; --print-config prints such a file:\n";
    auto const help = own_settings().help();
    out << help.substr(std::min(help.find("\n\nRECRUITING_"), help.size() - 1) + 1);
}

std::string unknown_words(std::span<std::string const> arguments) {
    std::string words;
    for (auto const& argument : arguments) {
        if (argument.starts_with('-') && !words.empty()) break;
        words += (words.empty() ? "" : " ") + argument;
    }
    return words;
}

} // namespace recruiting::recruitctl
