// What a command line asks for, by the declarations of the commands; --help is made from the same.
#pragma once
#include "recruitctl/command.hpp"

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

} // namespace recruiting::recruitctl
