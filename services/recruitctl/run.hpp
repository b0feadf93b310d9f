// From the program's arguments to an exit code.
#pragma once
#include "recruitctl/command.hpp"

namespace recruiting::recruitctl {

/// Finds the command of the arguments (without the program's name), runs it, turns what it throws into a sentence on
/// err and an exit code.
[[nodiscard]] int run(std::vector<command> const& commands, std::vector<std::string> const& arguments,
                      settings const& environment, std::ostream& out, std::ostream& err);

} // namespace recruiting::recruitctl
