#include "auth/api_key.hpp"
#include "core/text.hpp"
#include "recruitctl/command.hpp"
#include "recruitctl/move/move.hpp"
#include "recruitctl/move/stream.hpp"
#include "recruitctl/move/tables.hpp"
#include "recruitctl/output.hpp"

#include <algorithm>
#include <thread>

namespace recruiting::recruitctl {
namespace {

using clock = std::chrono::steady_clock;
constexpr auto pause = std::chrono::milliseconds{500};
constexpr auto row_of_export = "organization.exported";

// Each reason is reported once.
void wait_until_finished(pg::client& database, uuid const& organization, export_options const& how) {
    auto const deadline = clock::now() + how.settle + how.wait;
    std::vector<std::string> reported;
    for (;;) {
        auto const unfinished = store::select_unfinished(database, organization, how.settle);
        if (unfinished.empty()) return;
        for (auto const& what : unfinished) {
            if (std::ranges::find(reported, what) != reported.end()) continue;
            reported.push_back(what);
            how.report("waiting for " + what);
        }
        if (clock::now() >= deadline)
            throw failure("not finished in time: " + joined(unfinished) + ". Nothing was exported");
        std::this_thread::sleep_for(pause);
    }
}

void seal_all(pg::client& database, uuid const& organization, export_options const& how) {
    auto const deadline = clock::now() + how.wait;
    while (!store::seal(database, organization)) {
        if (clock::now() >= deadline) throw failure("audit rows could not be sealed in time. Nothing was exported");
        std::this_thread::sleep_for(pause / 10);
    }
}

boost::json::object header_of(pg::client& database, moved_organization const& which, export_options const& how,
                              store::audit_end const& audit) {
    return {{"schemaVersion", store::schema_version(database)},
            {"organization", {{"id", to_string(which.id)}, {"slug", which.slug}, {"name", which.name}}},
            {"exportedAt", format_time(system_time().now())},
            {"pepper", pepper_mark(how.pepper)},
            {"activeKeys", json_list(store::select_active_keys(database, which.id))},
            {"auditHead", {{"sequence", audit.sequence}, {"hash", audit.hash}}},
            {"auditMonths", json_list(store::select_audit_months(database, which.id))}};
}

std::int64_t write_tables(pg::client& database, uuid const& organization, move_writer& file) {
    std::int64_t rows = 0;
    for (auto const table : moved_tables) {
        auto const columns = store::select_columns(database, table);
        file.begin_table(table, columns);
        auto const of_table =
            store::copy_rows(database, table, columns, organization, [&](std::string_view line) { file.row(line); });
        file.end_table(of_table);
        rows += of_table;
    }
    return rows;
}

// Each acknowledged change has an audit row.
void check_unchanged(pg::client& database, uuid const& organization, store::audit_end const& exported) {
    bool const unsealed = !store::seal(database, organization);
    if (unsealed || store::select_audit_end(database, organization) != exported ||
        !store::is_frozen(database, organization))
        throw failure("the organization was written while it was exported. Export it again");
}

} // namespace

std::string pepper_mark(std::string_view pepper) {
    return to_hex(bytes_of(hash_secret(pepper, "recruiting pepper mark")));
}

move_report export_organization(pg::client& database, moved_organization const& which, export_options const& how,
                                std::ostream& to) {
    if (!store::is_frozen(database, which.id))
        throw failure("the organization is not frozen: run `recruitctl organization freeze` first");
    wait_until_finished(database, which.id, how);
    store::record(database, which.id, row_of_export);
    seal_all(database, which.id, how);

    move_report done{which, 0, {}};
    pg::transaction snapshot(database);
    store::begin_snapshot(database);
    done.audit = store::select_audit_end(database, which.id);
    move_writer file(to, header_of(database, which, how, done.audit));
    done.rows = write_tables(database, which.id, file);
    snapshot.commit();
    check_unchanged(database, which.id, done.audit);
    file.finish();
    return done;
}

} // namespace recruiting::recruitctl
