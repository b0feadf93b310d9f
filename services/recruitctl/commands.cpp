#include "recruitctl/commands.hpp"

namespace recruiting::recruitctl {

std::vector<command> all_commands() {
    std::vector<command> all;
    for (auto const group : {migrate_commands, organization_commands, member_commands, key_commands, import_commands,
                             demo_commands, audit_commands, restore_commands, mail_commands, slots_commands,
                             doctor_commands, top_commands, completion_commands}) {
        auto commands = group();
        all.insert(all.end(), commands.begin(), commands.end());
    }
    return all;
}

} // namespace recruiting::recruitctl
