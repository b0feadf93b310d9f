#include "recruitctl/cli/command_line.hpp"

#include "core/settings.hpp"
#include "core/text.hpp"
#include "recruitctl/command.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>

namespace recruiting::recruitctl {
namespace {

constexpr char const* exit_codes =
    "Exit codes: 0 done, 1 failed, 2 wrong usage or settings, 3 the database is unavailable, 4 done in part.\n";

std::string option_synopsis(option const& of) {
    auto text = of.value.empty() ? of.name : of.name + " " + of.value;
    if (of.many) text += repeatable;
    return of.required ? text : "[" + text + "]";
}

std::string command_synopsis(command const& of) {
    std::string text;
    for (bool const required : {true, false})
        for (auto const& option : of.options)
            if (option.required == required) text += ' ' + option_synopsis(option);
    return of.operands.empty() ? text : text + ' ' + of.operands;
}

// Texts are printed as they are: CLI11's versions differ in how they wrap them.
class help_format : public CLI::Formatter {
public:
    explicit help_format(std::vector<command> const& commands) {
        for (auto const& one : commands) synopses_.emplace("recruitctl " + one.words, command_synopsis(one));
    }

    std::string make_usage(CLI::App const* app, std::string name) const override {
        auto const found = synopses_.find(name);
        if (found != synopses_.end()) return "\nUsage: " + name + found->second + '\n';
        auto const* const config = app->get_parent() == nullptr ? " [--config FILE]" : "";
        return "\nUsage: " + name + config + " COMMAND [OPTIONS]\n";
    }
    std::string make_description(CLI::App const* app) const override { return app->get_description() + '\n'; }
    std::string make_footer(CLI::App const* app) const override { return app->get_footer(); }
    // Lists every command below the group, also at the top: one --help shows them all.
    std::string make_subcommands(CLI::App const* app, CLI::AppFormatMode /*mode*/) const override {
        std::string text;
        std::string words;
        for (auto const* at = app; at->get_parent() != nullptr; at = at->get_parent())
            words = at->get_name() + ' ' + words;
        list_leaves(*app, words, text);
        return text.empty() ? text : "\nCommands:\n" + text;
    }

private:
    void list_leaves(CLI::App const& app, std::string const& before, std::string& text) const {
        for (auto const* const sub : app.get_subcommands({})) {
            auto const words = before + sub->get_name();
            if (!sub->get_subcommands({}).empty()) {
                list_leaves(*sub, words + ' ', text);
                continue;
            }
            auto const padding = std::max(words.size() + 4, get_column_width()) - words.size() - 2;
            text += "  " + words + std::string(padding, ' ') + sub->get_description() + '\n';
        }
    }

    std::map<std::string, std::string> synopses_;
};

std::size_t widest(std::vector<command> const& commands) {
    std::size_t width = 0;
    for (auto const& one : commands) {
        width = std::max(width, one.words.size());
        for (auto const& option : one.options) width = std::max(width, option.name.size() + 1 + option.value.size());
    }
    return width;
}

void add_options(CLI::App& leaf, command const& of) {
    for (auto const& option : of.options) {
        auto* const added =
            option.value.empty() ? leaf.add_flag(option.name, option.help) : leaf.add_option(option.name, option.help);
        if (!option.value.empty())
            added->type_name(option.many ? option.value + std::string(repeatable) : option.value);
        added->multi_option_policy(CLI::MultiOptionPolicy::TakeAll); // how often it may be given is checked below
    }
    leaf.add_flag("--json")->description("print one JSON document");
    if (!of.operands.empty())
        for (auto const operand : split(of.operands, ' '))
            leaf.add_option(std::string(operand))->group("")->type_name(std::string(operand));
    leaf.footer((of.details.empty() ? "" : of.details + "\n\n") + exit_codes);
}

// The problems of a command's arguments, found together: CLI11 by itself stops at the first.
class argument_check {
public:
    argument_check(CLI::App const& leaf, command const& of, std::vector<std::string> const& words)
        : leaf_(leaf), of_(of), words_(words) {}

    std::string read(arguments& into, std::vector<std::string> const& left_over) {
        note_left_over(left_over);
        for (auto const& option : of_.options) read_option(option, into);
        if (leaf_.count("--json") > 0) into.options["--json"];
        refuse_value("--json");
        if (!of_.operands.empty())
            for (auto const operand : split(of_.operands, ' ')) {
                auto const given = leaf_.get_option(std::string(operand))->results();
                if (given.empty()) note(std::string(operand) + " is missing");
                else into.operands.push_back(given.front());
            }
        return problems_;
    }

private:
    void note(std::string const& problem) { problems_ += (problems_.empty() ? "" : "; ") + problem; }

    void note_left_over(std::vector<std::string> const& left_over) {
        bool after_unknown = false;
        for (auto const& word : left_over) {
            bool const unknown = word.size() > 1 && word.starts_with('-') && word != "--";
            if (unknown) note("unknown option " + word.substr(0, word.find('=')));
            // What follows an unknown option is, more likely than not, its value: no second complaint.
            else if (!after_unknown && word != "--") note("unexpected argument " + word);
            after_unknown = unknown && word.find('=') == std::string::npos;
        }
    }

    void read_option(option const& of, arguments& into) {
        auto const given = leaf_.get_option(of.name)->results();
        if (given.empty()) {
            if (of.required) note(of.name + " " + of.value + " is missing");
            return;
        }
        if (given.size() > 1 && !of.many) note(of.name + " is given twice");
        auto& values = into.options[of.name];
        if (of.value.empty()) return refuse_value(of.name);
        for (auto const& value : given) {
            if (is_next_option(of, value)) note(of.name + " needs a value, " + of.value);
            else take_value(of, value, values);
        }
        if (of.many && values.empty()) note(of.name + " needs a value, " + of.value);
    }

    // CLI11 takes `--json=true` for the flag.
    void refuse_value(std::string const& flag) {
        auto const has_value = [&](std::string const& word) { return word.starts_with(flag + "="); };
        if (std::any_of(words_.begin(), std::ranges::find(words_, "--"), has_value)) note(flag + " takes no value");
    }

    // `--name --json`: CLI11 takes the second for the first one's value. `--name=--json` is meant so.
    bool is_next_option(option const& of, std::string const& value) const {
        return value.starts_with("--") && std::ranges::find(words_, of.name + "=" + value) == words_.end();
    }

    void take_value(option const& of, std::string const& value, std::vector<std::string>& values) {
        if (!is_utf8(value)) note(of.name + " is not UTF-8");
        if (!of.many) return values.push_back(value);
        for (auto const part : split(value, ','))
            if (auto const item = trim(part); !item.empty()) values.emplace_back(item);
    }

    CLI::App const& leaf_;
    command const& of_;
    std::vector<std::string> const& words_;
    std::string problems_;
};

// `recruitctl help key create` is `recruitctl key create --help`. In `--name --help` the second is no value.
std::vector<std::string> with_help_option(std::vector<std::string> words) {
    auto const end = std::ranges::find(words, "--");
    auto const help = std::find(words.begin(), end, "--help");
    if (help != end && help != words.begin() && std::prev(help)->starts_with("--")) words.erase(std::prev(help));
    if (words.empty() || words.front() != "help") return words;
    words.erase(words.begin());
    words.emplace_back("--help");
    return words;
}

struct chosen_words {
    CLI::App* app;
    std::string words;
    std::vector<std::string> left_over;
};

chosen_words deepest(CLI::App& root) {
    chosen_words found{&root, "", root.remaining()};
    for (auto subs = root.get_subcommands(); !subs.empty(); subs = found.app->get_subcommands()) {
        found.app = subs.front();
        found.words += (found.words.empty() ? "" : " ") + found.app->get_name();
        // CLI11 gives what follows "--" to the group when the command itself takes no more.
        auto const more = found.app->remaining();
        found.left_over.insert(found.left_over.begin(), more.begin(), more.end());
    }
    return found;
}

std::string unknown_command(chosen_words const& at) {
    auto words = at.words;
    for (auto const& word : at.left_over) {
        if (word.starts_with('-') && !words.empty()) break;
        words += (words.empty() ? "" : " ") + word;
    }
    return words.empty() ? std::string{} : "there is no command " + words;
}

// The arguments end where an option's value should stand.
command_line without_value(CLI::App& root, std::vector<command> const& commands, std::string const& last) {
    command_line line;
    line.text = root.help("");
    auto const name = last.substr(0, last.find('='));
    line.problem = name + " needs a value";
    auto const chosen = std::ranges::find(commands, deepest(root).words, &command::words);
    if (chosen == commands.end()) return line;
    line.chosen = &*chosen;
    auto const option = std::ranges::find(chosen->options, name, &option::name);
    if (option != chosen->options.end()) line.problem += ", " + option->value;
    return line;
}

// "--name=" means an empty value; CLI11 would take the next word for it.
std::vector<std::string> with_empty_values(std::vector<std::string> const& words) {
    std::vector<std::string> out;
    bool options = true;
    for (auto const& word : words) {
        options = options && word != "--";
        bool const is_empty = options && word.size() > 3 && word.starts_with("--") && word.ends_with('=');
        out.push_back(is_empty ? word.substr(0, word.size() - 1) : word);
        if (is_empty) out.emplace_back();
    }
    return out;
}

command_line understood(CLI::App& root, std::vector<command> const& commands, std::vector<std::string> const& words) {
    command_line line;
    if (root.count("--config") > 0) line.config_file = root.get_option("--config")->results().back();
    if (root.count("--version") > 0) line.text = "recruitctl " + std::string(version()) + '\n';
    else if (root.count("--print-config") > 0) line.text = own_settings().example();
    if (!line.text.empty()) return line;
    auto const at = deepest(root);
    auto const chosen = std::ranges::find(commands, at.words, &command::words);
    if (chosen == commands.end()) {
        line.problem = unknown_command(at);
        if (line.problem.empty()) line.problem = "a command is missing";
        line.text = root.help("");
        return line;
    }
    line.chosen = &*chosen;
    line.problem = argument_check(*at.app, *chosen, words).read(line.given, at.left_over);
    return line;
}

} // namespace

void fill_tree(CLI::App& root, std::vector<command> const& commands) {
    auto const format = std::make_shared<help_format>(commands);
    format->column_width(widest(commands) + 4);
    root.formatter(format);
    root.name("recruitctl")->set_help_flag("-h,--help", "print this");
    root.allow_extras()->require_subcommand(0, 1);
    root.add_option("--config", "read the settings from this file")->type_name("FILE")->take_last();
    root.add_flag("--version")->description("print the version");
    root.add_flag("--print-config")->description("print a file of settings");
    auto const settings_help = own_settings().help();
    root.footer("Settings, from the environment, and below it from the file of --config, else from\n" +
                std::string(installed_file) + " where that can be read; --print-config prints such a file:\n" +
                settings_help.substr(std::min(settings_help.find("\n\nRECRUITING_"), settings_help.size() - 1) + 1));
    for (auto const& one : commands) {
        auto* app = &root;
        for (auto const word : split(one.words, ' ')) {
            auto const same = app->get_subcommands([word](CLI::App const* sub) { return sub->get_name() == word; });
            app = same.empty() ? app->add_subcommand(std::string(word)) : same.front();
            app->allow_extras()->require_subcommand(0, 1)->footer("recruitctl COMMAND --help prints the details.\n");
        }
        app->description(one.summary);
        add_options(*app, one);
    }
}

command_line read_command_line(std::vector<command> const& commands, std::vector<std::string> const& words) {
    CLI::App root("Administers the recruiting platform.");
    fill_tree(root, commands);
    auto reversed = with_help_option(with_empty_values(words));
    std::ranges::reverse(reversed); // as CLI11 wants them
    command_line line;
    try {
        root.parse(reversed);
        return understood(root, commands, words);
    } catch (CLI::CallForHelp const&) { // no problem
    } catch (CLI::ArgumentMismatch const&) {
        return without_value(root, commands, words.back());
    } catch (CLI::ParseError const& error) {
        line.problem = error.what();
    }
    line.text = root.help("");
    return line;
}

} // namespace recruiting::recruitctl
