// restore dismiss: ends doctor's warning of a restore. (key revoke --from does so when it has revoked what was
// missing.)
#include "recruitctl/commands.hpp"
#include "recruitctl/commands/restore_store.hpp"
#include "recruitctl/output.hpp"

#include <ostream>

namespace recruiting::recruitctl {
namespace {

int dismiss(invocation& call) {
    auto const before = select_identity(call.database());
    confirm_identity(call.database());
    auto const after = select_identity(call.database());
    bool const changed = is_another(before) || (before.known && !before.was_known);
    if (call.json()) print_json(call.out, {{"dismissed", changed}, {"confirmedAt", json_time(after.confirmed_at)}});
    else
        call.out << (changed ? "the restore is dismissed: doctor no longer warns of it\n"
                             : "there was no restore or promotion to dismiss\n");
    return done;
}

} // namespace

std::vector<command> restore_commands() {
    return {{"restore dismiss",
             "Stop the warning of recruitctl doctor that this database was restored or promoted.",
             "",
             {},
             dismiss,
             "For when no key was revoked since the backup, or nothing was lost in a failover. Otherwise\n"
             "`key revoke --from FILE` revokes again what the restore brought back, and ends the warning too."}};
}

} // namespace recruiting::recruitctl
