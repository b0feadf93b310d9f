// What a command line asks for. CLI11 reads it; its tree of subcommands is made from the declarations of the commands,
// and --help and the completions for shells are made from the tree. CLI11 is large: only this folder includes it.
#pragma once
#include "recruitctl/command.hpp"

namespace CLI {
class App;
}

namespace recruiting::recruitctl {

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

/// CLI11's tree of the commands: the one that reads command lines is the one that completions are made from.
void fill_tree(CLI::App& root, std::vector<command> const& commands);
/// A script that completes commands, options and their values in a shell: "bash" or "zsh".
[[nodiscard]] std::string completion_script(std::vector<command> const& commands, std::string const& shell);

inline constexpr std::string_view repeatable = "[,...]"; // ends the value's name of an option that may be given again

} // namespace recruiting::recruitctl
