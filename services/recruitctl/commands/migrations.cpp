#include "recruitctl/commands/migrations.hpp"

#include "core/file.hpp"
#include "core/text.hpp"
#include "crypto/digest.hpp"
#include "recruitctl/command.hpp"

#include <algorithm>

namespace recruiting::recruitctl {
namespace {

constexpr std::size_t number_digits = 4;

migration read_migration(std::filesystem::path const& file) {
    migration read;
    read.name = file.filename().string();
    auto const number = parse_number<int>(std::string_view(read.name).substr(0, number_digits));
    if (!number || *number < 1 || read.name.size() <= number_digits || read.name[number_digits] != '_')
        throw failure(file.string() + " is not named like 0001_what_it_does.sql");
    read.number = *number;
    if (auto const wrong = read_file(file.string(), read.sql)) throw failure(*wrong);
    if (read.sql.empty()) throw failure(file.string() + " is empty");
    read.checksum = to_hex(bytes_of(sha256(read.sql)));
    for (auto const line : split(read.sql, '\n'))
        if (line.starts_with(former_checksum_marker))
            read.former_checksums.emplace_back(trim(line.substr(former_checksum_marker.size())));
    return read;
}

bool is_of(applied_migration const& row, migration const& file) {
    return row.checksum == file.checksum ||
           std::ranges::find(file.former_checksums, row.checksum) != file.former_checksums.end();
}

void refuse_disorder(std::vector<migration_line> const& lines) {
    std::string wrong;
    for (auto const& line : lines) {
        auto const* what = line.state == migration_state::changed   ? " was changed after it was applied"
                           : line.state == migration_state::skipped ? " was never applied, although later ones were"
                           : line.state == migration_state::unknown
                               ? " was applied, but is not among the files: they are "
                                 "older than the database"
                               : nullptr;
        if (what != nullptr) wrong += (wrong.empty() ? "" : "; ") + line.name + what;
    }
    if (!wrong.empty()) throw failure("nothing was applied: " + wrong);
}

} // namespace

std::string_view to_string(migration_state state) noexcept {
    switch (state) {
    case migration_state::applied: return "applied";
    case migration_state::pending: return "pending";
    case migration_state::changed: return "changed";
    case migration_state::skipped: return "skipped";
    case migration_state::unknown: return "unknown";
    }
    return "unknown";
}

std::vector<migration> read_migrations(std::filesystem::path const& directory) {
    std::error_code error;
    std::vector<migration> found;
    for (auto const& entry : std::filesystem::directory_iterator(directory, error))
        if (entry.path().extension() == ".sql") found.push_back(read_migration(entry.path()));
    if (error) throw failure("the migrations can't be read from " + directory.string() + ": " + error.message());
    if (found.empty()) throw failure("there are no migrations in " + directory.string());
    std::ranges::sort(found, {}, &migration::name);
    for (std::size_t i = 0; i < found.size(); ++i)
        if (found[i].number != static_cast<int>(i) + 1)
            throw failure(found[i].name + " in " + directory.string() + " should have the number " +
                          std::to_string(i + 1) + ": a number is missing or used twice");
    return found;
}

std::vector<migration_line> compare(std::vector<migration> const& files,
                                    std::vector<applied_migration> const& applied) {
    auto const last = applied.empty() ? 0 : std::ranges::max(applied, {}, &applied_migration::number).number;
    std::vector<migration_line> lines;
    for (auto const& file : files) {
        auto const row = std::ranges::find(applied, file.number, &applied_migration::number);
        if (row == applied.end())
            lines.push_back({file.number, file.name,
                             file.number < last ? migration_state::skipped : migration_state::pending, std::nullopt});
        else
            lines.push_back({file.number, file.name,
                             is_of(*row, file) ? migration_state::applied : migration_state::changed, row->applied_at});
    }
    for (auto const& row : applied)
        if (std::ranges::find(files, row.number, &migration::number) == files.end())
            lines.push_back({row.number, row.name, migration_state::unknown, row.applied_at});
    return lines;
}

std::vector<migration_line> migration_status(pg::client& database, std::vector<migration> const& files) {
    return compare(files, store::select_applied(database));
}

int apply_migrations(pg::client& database, std::vector<migration> const& files, migration_listener const& listener,
                     lock_waiting const& waiting) {
    store::migration_lock const lock(database);
    auto const lines = migration_status(database, files);
    refuse_disorder(lines);
    auto const count = static_cast<int>(std::ranges::count(lines, migration_state::pending, &migration_line::state));
    migration_run run(database, waiting);
    if (count > 0) run.create_table();
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (lines[i].state != migration_state::pending) continue;
        auto const start = std::chrono::steady_clock::now();
        run.apply(files[i]);
        if (listener)
            listener(files[i],
                     std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start));
    }
    run.give_table_to_owner();
    run.ensure_audit_partitions();
    return count;
}

} // namespace recruiting::recruitctl
