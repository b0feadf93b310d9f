// Reads a command line, and makes --help of the same declarations.
#include "core/commit.hpp"
#include "core/settings.hpp"
#include "core/text.hpp"
#include "recruitctl/command.hpp"

#include <algorithm>

namespace recruiting::recruitctl {
namespace {

constexpr char const* exit_codes =
    "Exit codes: 0 done, 1 failed, 2 wrong usage or settings, 3 the database is unavailable, 4 done in part.\n";

option const config{"--config", "FILE", "read the settings from this file"};
option const json_flag{"--json", "", "print one JSON document"};

// Its name and what --help calls its value.
std::string shown_name(option const& of) {
    auto const value = of.value.empty() ? "" : " " + of.value;
    return of.name + value + (of.many ? "[,...]" : ""); // may be given again
}

// Two columns, as wide for every command as for the widest option or command of all.
class help_text {
public:
    explicit help_text(std::vector<command> const& commands) : commands_(commands) {
        for (auto const& one : commands) {
            width_ = std::max(width_, one.words.size());
            for (auto const& option : one.options) width_ = std::max(width_, shown_name(option).size());
        }
    }

    [[nodiscard]] std::string of_command(command const& of) const {
        std::string usage = "recruitctl " + of.words;
        for (bool const required : {true, false})
            for (auto const& option : of.options)
                if (option.required == required)
                    usage += required ? " " + shown_name(option) : " [" + shown_name(option) + "]";
        auto text = of.summary + "\n\nUsage: " + usage + (of.operands.empty() ? "" : " " + of.operands) + "\n\n" +
                    options_of(of.options) + row(json_flag.name, json_flag.help) + '\n';
        return text + (of.details.empty() ? "" : of.details + "\n\n") + exit_codes;
    }

    /// Of the commands that begin with these words; all of them, and the settings, for none.
    [[nodiscard]] std::string of_group(std::string const& words) const {
        bool const all = words.empty();
        auto text = (all ? "Administers the recruiting platform.\n\nUsage: recruitctl [--config FILE]"
                         : "Usage: recruitctl " + words) +
                    " COMMAND [OPTIONS]\n\n" + options_of(all ? std::vector{config} : std::vector<option>{});
        if (all) text += row("--version", "print the version") + row("--print-config", "print a file of settings");
        text += "\nCommands:\n";
        for (auto const& one : commands_)
            if (all || one.words.starts_with(words + ' ')) text += row(one.words, one.summary);
        if (!all) return text + "\nrecruitctl COMMAND --help prints the details.\n";
        auto const settings_help = own_settings().help();
        return text + "\nSettings, from the environment, and below it from the file of --config, else from\n" +
               installed_file + " where that can be read; --print-config prints such a file:\n" +
               settings_help.substr(std::min(settings_help.find("\n\nRECRUITING_"), settings_help.size() - 1) + 1);
    }

private:
    [[nodiscard]] std::string row(std::string name, std::string const& help) const {
        name.resize(std::max(width_, name.size()), ' ');
        return "  " + name + "  " + help + '\n';
    }
    [[nodiscard]] std::string options_of(std::vector<option> const& options) const {
        auto text = "Options:\n" + row("-h, --help", "print this");
        for (auto const& one : options) text += row(shown_name(one), one.help);
        return text;
    }

    std::vector<command> const& commands_;
    std::size_t width_{0};
};

// What follows a command's words; everything wrong with it is found together.
class argument_reader {
public:
    explicit argument_reader(command const& of) : of_(of) {}

    void read(std::span<std::string const> words) {
        for (std::size_t i = 0; i < words.size(); ++i) {
            auto const& word = words[i];
            if (word == "--") {
                for (auto const& operand : words.subspan(i + 1)) take_operand(operand);
                break;
            }
            if (word.size() < 2 || !word.starts_with('-')) {
                // What follows an unknown option is, more likely than not, its value: no second complaint.
                if (!after_unknown_) take_operand(word);
                after_unknown_ = false;
                continue;
            }
            auto const equals = word.find('=');
            auto const name = word.substr(0, equals);
            auto const* const option = find(name);
            after_unknown_ = option == nullptr && equals == std::string::npos;
            if (option == nullptr) note("unknown option " + name);
            else if (option->value.empty()) take_flag(*option, equals != std::string::npos);
            else if (equals != std::string::npos) take_value(*option, word.substr(equals + 1));
            // `--name --json`: the second is no value, unless it is written `--name=--json`.
            else if (i + 1 == words.size() || words[i + 1].starts_with("--")) given.options.try_emplace(name);
            else take_value(*option, words[++i]);
        }
        finish();
    }

    arguments given;
    std::string problems;

private:
    void note(std::string const& problem) { problems += (problems.empty() ? "" : "; ") + problem; }

    [[nodiscard]] option const* find(std::string const& name) const {
        if (name == json_flag.name) return &json_flag;
        auto const found = std::ranges::find(of_.options, name, &option::name);
        return found == of_.options.end() ? nullptr : &*found;
    }

    void take_operand(std::string const& word) {
        if (given.operands.size() == operands_.size()) note("unexpected argument " + word);
        else given.operands.push_back(word);
    }

    void take_flag(option const& of, bool has_value) {
        if (has_value) note(of.name + " takes no value");
        else if (!given.options.try_emplace(of.name).second) note(of.name + " is given twice");
    }

    void take_value(option const& of, std::string const& value) {
        if (!is_utf8(value)) note(of.name + " is not UTF-8");
        auto const [at, first] = given.options.try_emplace(of.name);
        if (!of.many) {
            if (!first) note(of.name + " is given twice");
            return at->second.push_back(value);
        }
        for (auto const part : split(value, ','))
            if (auto const item = trim(part); !item.empty()) at->second.emplace_back(item);
    }

    void finish() {
        for (auto const& option : of_.options) {
            auto const found = given.options.find(option.name);
            bool const is_given = found != given.options.end();
            if (!is_given && option.required) note(option.name + " " + option.value + " is missing");
            if (is_given && !option.value.empty() && found->second.empty())
                note(option.name + " needs a value, " + option.value);
        }
        for (auto at = given.operands.size(); at < operands_.size(); ++at)
            note(std::string(operands_[at]) + " is missing");
    }

    command const& of_;
    std::vector<std::string_view> operands_ =
        of_.operands.empty() ? std::vector<std::string_view>{} : split(of_.operands, ' ');
    bool after_unknown_{false};
};

// The command that the first of the words name, and how many of them do; nullptr: none.
std::pair<command const*, std::size_t> chosen(std::vector<command> const& commands,
                                              std::span<std::string const> words) {
    for (auto const& one : commands) {
        auto const names = split(one.words, ' ');
        if (names.size() <= words.size() && std::ranges::equal(names, words.first(names.size())))
            return {&one, names.size()};
    }
    return {nullptr, 0};
}

bool is_group(std::vector<command> const& commands, std::string const& words) {
    return std::ranges::any_of(commands, [&](command const& one) { return one.words.starts_with(words + ' '); });
}

} // namespace

command_line read_command_line(std::vector<command> const& commands, std::vector<std::string> const& all) {
    command_line line;
    help_text const help(commands);
    std::span<std::string const> words(all);
    while (!words.empty() && words.front().starts_with(config.name)) {
        bool const alone = words.front() == config.name;
        if (!alone && words.front()[config.name.size()] != '=') break;
        if (alone && words.size() == 1) {
            line.problem = "--config needs a value, FILE";
            line.text = help.of_group("");
            return line;
        }
        line.config_file = alone ? words[1] : words.front().substr(config.name.size() + 1);
        words = words.subspan(alone ? 2 : 1);
    }
    auto const options = words.first(static_cast<std::size_t>(std::ranges::find(words, "--") - words.begin()));
    bool const asks_help = (!words.empty() && (words.front() == "help" || words.front() == "-h")) ||
                           std::ranges::find(options, "--help") != options.end() ||
                           (!words.empty() && words.back() == "-h");
    if (!words.empty() && words.front() == "help") words = words.subspan(1);
    auto const [command, length] = chosen(commands, words);
    if (command != nullptr && !asks_help) {
        line.chosen = command;
        argument_reader reader(*command);
        reader.read(words.subspan(length));
        line.given = std::move(reader.given);
        line.problem = std::move(reader.problems);
        return line;
    }
    std::string names;
    for (auto const& word : words) {
        if (word.starts_with('-') && (asks_help || !names.empty())) break;
        names += (names.empty() ? "" : " ") + word;
    }
    if (names == "--version") line.text = "recruitctl " + version_and_commit() + '\n';
    else if (names == "--print-config") line.text = own_settings().example();
    else if (asks_help && command != nullptr) line.text = help.of_command(*command);
    else if (asks_help && (names.empty() || is_group(commands, names))) line.text = help.of_group(names);
    else {
        line.problem = names.empty() ? "a command is missing" : "there is no command " + names;
        line.text = help.of_group("");
    }
    return line;
}

} // namespace recruiting::recruitctl
