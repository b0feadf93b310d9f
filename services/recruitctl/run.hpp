// From the program's arguments to an exit code.
#pragma once
#include "recruitctl/command.hpp"

namespace recruiting::recruitctl {

/// Finds the command of the words (the arguments without the program's name), runs it, and turns what it throws into a
/// sentence on err and an exit code. Settings come from the environment, then from --config, else from `installed`.
[[nodiscard]] int run(std::vector<command> const& commands, std::vector<std::string> const& words,
                      settings const& environment, std::ostream& out, std::ostream& err,
                      std::string const& installed = "");

} // namespace recruiting::recruitctl
