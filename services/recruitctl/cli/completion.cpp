// completion bash|zsh: scripts for shells, made from the tree that reads command lines.
#include "core/text.hpp"
#include "recruitctl/cli/command_line.hpp"
#include "recruitctl/command.hpp"
#include "recruitctl/output.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ostream>

namespace recruiting::recruitctl {
namespace {

// What may stand where a value is expected, by its name in --help.
struct value_kind {
    bool files{false};
    std::string alternatives; // "csv ndjson", or empty
    bool many{false};
};

value_kind value_kind_of(CLI::Option const& of) {
    auto name = of.get_type_name();
    value_kind kind;
    kind.many = name.ends_with(repeatable);
    if (kind.many) name.resize(name.size() - repeatable.size());
    kind.files = name == "FILE" || name == "DIRECTORY";
    if (name.find('|') == std::string::npos) return kind;
    std::ranges::replace(name, '|', ' ');
    kind.alternatives = name;
    return kind;
}

bool takes_value(CLI::Option const& of) { return of.get_expected_max() > 0; }

std::string first_name(CLI::Option const& of) { return "--" + of.get_lnames().front(); }

// Visits every node of the tree with the words that lead to it, each after a space.
void visit(CLI::App const& app, std::string const& words,
           std::function<void(CLI::App const&, std::string const&)> const& use) {
    use(app, words);
    for (auto const* const sub : app.get_subcommands({})) visit(*sub, words + ' ' + sub->get_name(), use);
}

std::string in_quotes(std::string_view text) {
    std::string out{"'"};
    for (char const c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

std::string choice_of_patterns(std::vector<std::string> const& patterns) {
    std::string text;
    for (auto const& pattern : patterns) text += (text.empty() ? "" : "|") + in_quotes(pattern);
    return text;
}

std::vector<std::string> all_words(CLI::App const& root) {
    std::vector<std::string> out;
    visit(root, "", [&](CLI::App const&, std::string const& words) {
        if (!words.empty()) out.push_back(words);
    });
    return out;
}

class bash_completion {
public:
    explicit bash_completion(CLI::App const& root) : commands_(all_words(root)) {
        visit(root, "", [this](CLI::App const& app, std::string const& words) { add(app, words); });
    }

    std::string script() const {
        // Bash takes "--format=csv" for three words, "--format", "=" and "csv".
        return "# bash completion of recruitctl, written by: recruitctl completion bash\n"
               "_recruitctl() {\n"
               "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}\n"
               "    local chosen='' words='' files='' i\n"
               "    if [[ $current == = ]]; then\n"
               "        current=''\n"
               "    elif [[ $previous == = ]]; then\n"
               "        previous=${COMP_WORDS[COMP_CWORD - 2]}\n"
               "    fi\n"
               "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
               "        case \"$chosen ${COMP_WORDS[i]}\" in\n"
               "        " +
               choice_of_patterns(commands_) +
               ") chosen+=\" ${COMP_WORDS[i]}\" ;;\n"
               "        esac\n"
               "    done\n"
               "    case \"$chosen $previous\" in\n" +
               values_ + case_of("files=yes", after_files_) + case_of("return", after_values_) +
               "    *)\n"
               "        case $chosen in\n" +
               names_ +
               "        esac\n"
               "        [[ $current == -* ]] && files=''\n"
               "        ;;\n"
               "    esac\n"
               "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
               "    if [[ $files ]]; then\n"
               "        compopt -o filenames 2>/dev/null\n"
               "        mapfile -t COMPREPLY < <(compgen -f -- \"$current\")\n"
               "    fi\n"
               "}\n"
               "complete -F _recruitctl recruitctl\n";
    }

private:
    static std::string case_of(std::string const& action, std::vector<std::string> const& patterns) {
        return patterns.empty() ? "" : "    " + choice_of_patterns(patterns) + ") " + action + " ;;\n";
    }

    void add(CLI::App const& app, std::string const& words) {
        std::string names;
        std::string files;
        for (auto const* const sub : app.get_subcommands({})) names += sub->get_name() + ' ';
        for (auto const* const option : app.get_options()) {
            auto const kind = value_kind_of(*option);
            if (option->get_positional()) {
                if (kind.files) files = " files=yes";
                if (!kind.alternatives.empty()) names += kind.alternatives + ' ';
                continue;
            }
            names += first_name(*option) + ' ';
            if (!takes_value(*option)) continue;
            auto const pattern = words + ' ' + first_name(*option);
            if (kind.files) after_files_.push_back(pattern);
            else if (kind.alternatives.empty()) after_values_.push_back(pattern);
            else values_ += "    " + in_quotes(pattern) + ") words=" + in_quotes(kind.alternatives) + " ;;\n";
        }
        names_ += "        " + in_quotes(words) + ") words=" + in_quotes(trim(names)) + files + " ;;\n";
    }

    std::vector<std::string> commands_;
    std::vector<std::string> after_files_;
    std::vector<std::string> after_values_; // a value that nobody but the caller knows
    std::string values_;
    std::string names_;
};

class zsh_completion {
public:
    explicit zsh_completion(CLI::App const& root) : commands_(all_words(root)) {
        visit(root, "", [this](CLI::App const& app, std::string const& words) { add(app, words); });
    }

    std::string script() const {
        return "#compdef recruitctl\n"
               "# zsh completion of recruitctl, written by: recruitctl completion zsh\n"
               "_recruitctl() {\n"
               "    local chosen=''\n"
               "    integer at=1 i\n"
               "    for ((i = 2; i < CURRENT; i++)); do\n"
               "        case \"$chosen ${words[i]}\" in\n"
               "        (" +
               choice_of_patterns(commands_) +
               ")\n"
               "            chosen+=\" ${words[i]}\"\n"
               "            at=i\n"
               "            ;;\n"
               "        esac\n"
               "    done\n"
               "    # What follows the command is completed as if the command were one word.\n"
               "    (( at > 1 )) && shift $((at - 1)) words && (( CURRENT -= at - 1 ))\n"
               "    case $chosen in\n" +
               cases_ +
               "    esac\n"
               "}\n"
               "if [[ $funcstack[1] == _recruitctl ]]; then\n"
               "    _recruitctl \"$@\"\n"
               "else\n"
               "    compdef _recruitctl recruitctl\n"
               "fi\n";
    }

private:
    static std::string escaped(std::string_view text, std::string_view special) {
        std::string out;
        for (char const c : text) {
            if (special.find(c) != std::string_view::npos) out += '\\';
            out += c;
        }
        return out;
    }

    static std::string action_of(value_kind const& kind) {
        if (kind.files) return "_files";
        return kind.alternatives.empty() ? " " : "(" + kind.alternatives + ")";
    }

    static std::string argument_of(CLI::Option const& of) {
        auto const kind = value_kind_of(of);
        auto const name = escaped(of.get_type_name(), "[]:\\");
        if (of.get_positional()) return in_quotes(":" + name + ":" + action_of(kind));
        auto const text = "[" + escaped(of.get_description(), "[]:\\") + "]";
        if (!takes_value(of)) return in_quotes(first_name(of) + text);
        return in_quotes((kind.many ? "*" : "") + first_name(of) + "=" + text + ":" + name + ":" + action_of(kind));
    }

    void add(CLI::App const& app, std::string const& words) {
        cases_ += "    (" + in_quotes(words) + ") _arguments";
        for (auto const* const option : app.get_options()) cases_ += " \\\n        " + argument_of(*option);
        std::string commands;
        for (auto const* const sub : app.get_subcommands({}))
            commands += (commands.empty() ? "" : " ") + sub->get_name() +
                        "\\:" + escaped(sub->get_description(), "[]:\\`$()\"' ");
        if (!commands.empty()) cases_ += " \\\n        " + in_quotes("1:command:((" + commands + "))");
        cases_ += " ;;\n";
    }

    std::vector<std::string> commands_;
    std::string cases_;
};

int print_completion(invocation& call) {
    auto const& shell = call.operands().front();
    auto const script = completion_script(all_commands(), shell);
    if (call.json()) print_json(call.out, {{"shell", shell}, {"script", script}});
    else call.out << script;
    return done;
}

} // namespace

std::string completion_script(std::vector<command> const& commands, std::string const& shell) {
    CLI::App root("Administers the recruiting platform.");
    fill_tree(root, commands);
    if (shell == "bash") return bash_completion(root).script();
    if (shell == "zsh") return zsh_completion(root).script();
    throw usage_error("there are completions for bash and zsh, none for " + shell);
}

std::vector<command> completion_commands() {
    return {
        {"completion",
         "Print a shell completion script.",
         {},
         print_completion,
         "The package installs both. Elsewhere: source <(recruitctl completion bash), or for zsh write it to a file\n"
         "_recruitctl in a folder of $fpath.",
         "bash|zsh"}};
}

} // namespace recruiting::recruitctl
