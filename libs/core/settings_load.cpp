// How declared settings are read from arguments, a file and the environment, and what people read of them: the version,
// --help and --print-config.
#include "core/commit.hpp"
#include "core/file.hpp"
#include "core/settings.hpp"
#include "core/text.hpp"

#include <algorithm>
#include <array>
#include <iostream>
#include <set>
#include <unistd.h>

namespace recruiting {
namespace {

// Names that belong to another program or to the people's shells: known, so no mistyped setting of ours.
constexpr std::array<std::string_view, 26> foreign_prefixes = {
    "RECRUITING_GATEWAY_",     "RECRUITING_AUTH_API_",       "RECRUITING_PUBLIC_API_",
    "RECRUITING_AGENT_",       "RECRUITING_MAIL_",           "RECRUITING_BOOKING_",
    "RECRUITING_WEBHOOK_",     "RECRUITING_KEYS_PER_MEMBER", "RECRUITING_PUBLIC_URL",
    "RECRUITING_UP_",          "RECRUITING_TEST_",           "RECRUITING_BENCH_",
    "RECRUITING_DATABASE_URL", "RECRUITING_REDIS_",          "RECRUITING_DEMO_",
    "RECRUITING_KEY_PEPPER_",  "RECRUITING_CURSOR_SECRET_",  "RECRUITING_MIGRATIONS_DIR",
    "RECRUITING_RUN_DIR",      "RECRUITING_TRACE_",          "RECRUITING_BUILD_DIR",
    "RECRUITING_PACKAGE_",     "RECRUITING_FAULTS",          "RECRUITING_PATIENCE",
    "RECRUITING_READ_TIMEOUT", "RECRUITING_RUN_TIMEOUT"};
constexpr std::array<std::string_view, 2> shared_names = {"RECRUITING_ENVIRONMENT", "RECRUITING_LOG_LEVEL"};

constexpr std::size_t line_width = 100;
constexpr std::string_view file_ending = "_FILE"; // of a setting that names the file with another's value

// The words of text as comment lines.
std::string as_comment(std::string_view text) {
    std::string out;
    std::string line = "#";
    for (auto const word : split(text, ' ')) {
        if (line.size() + 1 + word.size() > line_width) {
            out += line + '\n';
            line = "#";
        }
        line += ' ';
        line += word;
    }
    return out + line + '\n';
}

std::string with_range(std::string const& help, std::string const& range) {
    return range.empty() ? help : help + " (" + range + ")";
}

} // namespace

std::string_view version() noexcept { return RECRUITING_VERSION; }

std::string version_and_commit() { return std::string(version()) + " (" + std::string(commit()) + ")"; }

std::optional<std::string> read_settings_file(std::string const& path, std::map<std::string, std::string>& values) {
    std::string content;
    if (auto wrong = read_file(path, content)) return wrong;
    int number = 0;
    for (auto line : split(content, '\n')) {
        ++number;
        line = trim(line);
        if (line.empty() || line.front() == '#') continue;
        auto const equals = line.find('=');
        if (equals == std::string_view::npos) return path + ":" + std::to_string(number) + ": not a NAME=value line";
        auto value = trim(line.substr(equals + 1));
        if (value.size() >= 2 && (value.front() == '"' || value.front() == '\'') && value.back() == value.front())
            value = value.substr(1, value.size() - 2);
        values.insert_or_assign(std::string(trim(line.substr(0, equals))), std::string(value));
    }
    return std::nullopt;
}

void override_settings(std::map<std::string, std::string>& values,
                       std::map<std::string, std::string> const& environment) {
    for (auto const& entry : environment) {
        auto const& name = entry.first;
        values.erase(name + std::string(file_ending));
        if (name.ends_with(file_ending)) values.erase(name.substr(0, name.size() - file_ending.size()));
    }
    for (auto const& [name, value] : environment) values.insert_or_assign(name, value);
}

std::optional<std::string> read_setting(std::map<std::string, std::string> const& values, std::string const& name,
                                        std::string& value) {
    auto const given = [&values](std::string const& which) {
        auto const found = values.find(which);
        return found == values.end() ? std::string() : found->second;
    };
    auto const file_name = name + std::string(file_ending);
    auto const path = given(file_name);
    value = given(name);
    if (path.empty()) return std::nullopt;
    if (!value.empty()) return name + " and " + file_name + " exclude each other";
    if (auto wrong = read_file(path, value)) return file_name + " " + *wrong;
    while (!value.empty() && (value.back() == '\n' || value.back() == '\r')) value.pop_back();
    if (value.empty() || value.find('\n') != std::string::npos) return file_name + ": " + path + " must hold one line";
    return std::nullopt;
}

std::map<std::string, std::string> environment_settings() {
    std::map<std::string, std::string> found;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        std::string_view const text(*entry);
        auto const equals = text.find('=');
        if (text.starts_with("RECRUITING_") && equals != std::string_view::npos)
            found.emplace(text.substr(0, equals), text.substr(equals + 1));
    }
    return found;
}

bool settings_reader::is_foreign(std::string_view name) const {
    if (std::find(shared_names.begin(), shared_names.end(), name) != shared_names.end()) return true;
    if (name == "RECRUITING_GATEWAY_URL") return true;
    auto const begins_name = [name](std::string_view prefix) { return name.starts_with(prefix); };
    if (std::any_of(prefixes_.begin(), prefixes_.end(), begins_name)) return false;
    return std::any_of(foreign_prefixes.begin(), foreign_prefixes.end(), begins_name);
}

std::vector<std::string> settings_reader::apply(std::map<std::string, std::string> const& given) {
    std::vector<std::string> problems;
    auto values = given;
    std::set<std::string> unreadable;
    for (auto const& declared : settings_) {
        if (!declared.may_be_in_file || values.erase(declared.name + std::string(file_ending)) == 0) continue;
        std::string value;
        auto const wrong = read_setting(given, declared.name, value);
        if (wrong) {
            problems.push_back(*wrong);
            unreadable.insert(declared.name);
        } else if (!value.empty()) {
            values.insert_or_assign(declared.name, std::move(value));
        }
    }
    for (auto const& entry : values) {
        auto const& name = entry.first; // not a structured binding: a lambda takes it
        auto const& value = entry.second;
        auto const known =
            std::find_if(settings_.begin(), settings_.end(), [&](auto const& s) { return s.name == name; });
        if (known != settings_.end()) {
            if (auto const wrong = known->assign(value)) problems.push_back(name + " " + *wrong);
        } else if (!is_foreign(name)) {
            problems.push_back(name + " is not a setting of " + program_ + " (see --help)");
        }
    }
    for (auto const& declared : settings_)
        if (declared.required && !values.contains(declared.name) && !unreadable.contains(declared.name))
            problems.push_back(declared.name + " must be set: " + declared.help);
    for (std::size_t i = 0; problems.empty() && i < rules_.size(); ++i)
        if (auto const wrong = rules_[i]()) problems.push_back(*wrong);
    return problems;
}

std::string settings_reader::answer_to(std::string_view argument) const {
    if (argument == "--help") return help();
    if (argument == "--version") return program_ + ' ' + version_and_commit() + '\n';
    if (argument == "--print-config") return example();
    return {};
}

std::optional<int> settings_reader::load(int argc, char const* const* argv, std::vector<std::string>* rest) {
    std::map<std::string, std::string> values;
    std::vector<std::string> problems;
    bool only_check = false;
    bool only_health = false;
    for (int i = 1; i < argc; ++i) {
        std::string const argument = argv[i];
        if (auto const text = answer_to(argument); !text.empty()) {
            std::cout << text;
            return 0;
        }
        if (argument == "--check") only_check = true;
        else if (argument == "--healthcheck" && healthcheck_) only_health = true;
        else if (argument != "--config" || i + 1 == argc)
            rest != nullptr ? rest->push_back(argument)
                            : problems.push_back("unknown argument " + argument + " (see --help)");
        else if (auto const wrong = read_settings_file(argv[++i], values)) problems.push_back(*wrong);
    }
    override_settings(values, environment_settings());
    auto const wrong = apply(values);
    problems.insert(problems.end(), wrong.begin(), wrong.end());
    // The process that is asked runs with these settings, so only its address matters.
    if (only_health) return healthcheck_();
    if (problems.empty() && !only_check) return std::nullopt;
    if (problems.empty()) {
        std::cout << program_ << ": the settings are valid\n";
        if (check_line_) std::cout << program_ << ": " << check_line_() << '\n';
        return 0;
    }
    for (auto const& problem : problems) std::cerr << program_ << ": " << problem << '\n';
    return 2;
}

std::string settings_reader::help() const {
    std::string out = program_ + " " + std::string(version()) + ": " + summary_ +
                      "\n\nSettings are environment variables, " +
                      "or NAME=value lines of a file given with --config FILE.\n" +
                      "--check validates them. --print-config prints such a file with all defaults.\n";
    if (healthcheck_)
        out += "--healthcheck requests /healthz from the running program's admin port: exit code 0 if it is healthy.\n";
    for (auto const& declared : settings_) {
        out += "\n" + declared.name + "\n    " + with_range(declared.help, declared.range);
        out += declared.default_text.empty() ? "\n" : "\n    default: " + declared.default_text + "\n";
    }
    return out;
}

std::string settings_reader::example() const {
    auto out =
        as_comment("Settings of " + program_ + ": " + summary_ + ".") +
        as_comment("NAME=value lines. Each setting is listed with its default. The environment overrides this file.");
    for (auto const& declared : settings_) {
        out += '\n' + as_comment(with_range(declared.help, declared.range));
        if (declared.required) out += as_comment("It must be set.");
        out += "#" + declared.name + "=" + declared.default_text + "\n";
    }
    return out;
}

} // namespace recruiting
