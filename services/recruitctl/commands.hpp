// The groups of commands: each is a file of its name in commands/, or the command.cpp of a folder of its name.
#pragma once
#include "recruitctl/command.hpp"

namespace recruiting::recruitctl {

std::vector<command> migrate_commands();
std::vector<command> organization_commands();
std::vector<command> member_commands();
std::vector<command> key_commands();
std::vector<command> import_commands();
std::vector<command> demo_commands();
std::vector<command> audit_commands();
std::vector<command> restore_commands();
std::vector<command> mail_commands();
std::vector<command> slots_commands();
std::vector<command> doctor_commands();
std::vector<command> top_commands();
std::vector<command> completion_commands();

/// All of them, in the order --help shows them.
std::vector<command> all_commands();

} // namespace recruiting::recruitctl
