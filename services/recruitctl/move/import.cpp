#include "core/text.hpp"
#include "recruitctl/command.hpp"
#include "recruitctl/move/move.hpp"
#include "recruitctl/move/stream.hpp"
#include "recruitctl/move/tables.hpp"
#include "recruitctl/output.hpp"

#include <map>

namespace recruiting::recruitctl {
namespace {

constexpr std::size_t piece = 64UL * 1024; // of rows that are sent together

struct read_header {
    moved_organization organization;
    std::int64_t schema_version{0};
    std::string pepper;
    std::vector<std::string> active_keys, audit_months;
    store::audit_end audit;
};

std::vector<std::string> texts_of(boost::json::value const& list) {
    std::vector<std::string> out;
    for (auto const& one : list.as_array()) out.emplace_back(one.as_string());
    return out;
}

read_header header_of(boost::json::object const& from) {
    try {
        auto const& organization = from.at("organization").as_object();
        auto const id = parse_id(std::string(organization.at("id").as_string()));
        if (!id) throw failure("the file can't be imported: its header names no organization");
        auto const& head = from.at("auditHead").as_object();
        return {
            {*id, std::string(organization.at("slug").as_string()), std::string(organization.at("name").as_string())},
            from.at("schemaVersion").as_int64(),
            std::string(from.at("pepper").as_string()),
            texts_of(from.at("activeKeys")),
            texts_of(from.at("auditMonths")),
            {head.at("sequence").as_int64(), std::string(head.at("hash").as_string())}};
    } catch (boost::system::system_error const&) {
        throw failure("the file can't be imported: its header lacks a field");
    } catch (std::out_of_range const&) {
        throw failure("the file can't be imported: its header lacks a field");
    }
}

void check_pepper(read_header const& header, import_options const& how) {
    if (header.pepper == pepper_mark(how.pepper) || header.active_keys.empty()) return;
    auto const keys = std::to_string(header.active_keys.size()) + " API keys do not work here, because the pepper of " +
                      "this installation differs: " + joined(header.active_keys);
    if (!how.other_pepper)
        throw failure(keys + ". Give this installation the pepper of the other one, or import with --other-pepper and "
                             "create the keys again");
    how.report(keys + ". Create them again, and revoke these");
}

void check(pg::client& database, read_header const& header, import_options const& how) {
    if (auto const here = store::schema_version(database); here != header.schema_version)
        throw failure("the file is of schema version " + std::to_string(header.schema_version) +
                      ", and this database has " + std::to_string(here) +
                      ": bring both installations to the same version");
    if (auto const conflict = store::find_conflict(database, header.organization.id, header.organization.slug))
        throw failure(*conflict + ". Nothing was changed");
    check_pepper(header, how);
}

std::int64_t read_rows(pg::client& database, move_reader& file, move_reader::table const& table) {
    store::begin_rows(database, table.name, table.columns);
    std::string together;
    while (auto const row = file.next_row()) {
        together += *row;
        if (together.size() < piece) continue;
        database.copy_send(together);
        together.clear();
    }
    database.copy_send(together);
    store::finish_rows(database, table.name, table.columns);
    return file.rows();
}

using table_counts = std::map<std::string_view, std::int64_t>;

table_counts read_tables(pg::client& database, move_reader& file) {
    table_counts counts;
    for (auto const name : moved_tables) {
        auto const table = file.next_table();
        if (!table || table->name != name || table->columns != store::select_columns(database, name))
            throw failure("the file can't be imported: its tables are not those of this version");
        counts[name] = read_rows(database, file, *table);
    }
    if (file.next_table()) throw failure("the file can't be imported: it has tables that this version does not know");
    return counts;
}

// A row of another organization would be counted in the file and not here.
void check_counts(pg::client& database, uuid const& organization, table_counts const& counts) {
    for (auto const& [table, rows] : counts)
        if (table != "users" && store::count_rows(database, table, organization) != rows)
            throw failure("the file can't be imported: it has rows of another organization in " + std::string(table));
}

} // namespace

move_report import_organization(pg::client& database, import_options const& how, std::istream& from) {
    move_reader file(from);
    auto const header = header_of(file.header());
    check(database, header, how);
    store::add_audit_months(database, header.audit_months);

    pg::transaction whole(database);
    store::begin_moving(database);
    auto const counts = read_tables(database, file);
    check_counts(database, header.organization.id, counts);
    if (!store::has_own_addresses(database, header.organization.id))
        throw failure("the file can't be imported: a person in it is known by another's address");
    if (store::select_audit_end(database, header.organization.id) != header.audit)
        throw failure("the file can't be imported: its audit chain does not end where its header says");
    store::record(database, header.organization.id, "organization.imported");
    whole.commit();

    move_report done{header.organization, 0, header.audit};
    for (auto const& [table, rows] : counts) done.rows += rows;
    return done;
}

} // namespace recruiting::recruitctl
