// The texts of --help, made from the table of commands and the declaration of the settings.
#pragma once
#include "core/settings.hpp"
#include "recruitctl/command.hpp"

#include <span>

namespace recruiting::recruitctl {

/// Names, defaults and ranges of what recruitctl reads from the environment; commands read the values.
[[nodiscard]] settings_reader own_settings();

void print_command_help(std::ostream& out, command const& of);
/// Every command with its summary; those of one group ("key") when there are such.
void print_overview(std::ostream& out, std::vector<command> const& commands, std::string const& group);
/// The words before the first option: what was taken for a command.
[[nodiscard]] std::string unknown_words(std::span<std::string const> arguments);

} // namespace recruiting::recruitctl
