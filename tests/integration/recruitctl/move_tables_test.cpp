// What a migration adds must be moved, or be left on purpose.
#include "recruitctl/move/tables.hpp"
#include "support/catch.hpp"
#include "support/database.hpp"

#include <algorithm>
#include <set>
#include <string>

namespace move_tables_test {
using namespace recruiting;
using namespace recruiting::test;
using names = std::set<std::string>;

namespace {

names names_of(pg::rows const& found) {
    names out;
    for (int row = 0; row < found.size(); ++row) out.emplace(found.text(row, 0));
    return out;
}

std::ptrdiff_t place_of(std::string_view table) {
    return std::ranges::find(recruitctl::moved_tables, table) - recruitctl::moved_tables.begin();
}

} // namespace

TEST_CASE("every table is moved with its organization or left", "[recruitctl][move]") {
    names listed(recruitctl::moved_tables.begin(), recruitctl::moved_tables.end());
    for (auto const& left : recruitctl::left_tables) CHECK(listed.emplace(left.name).second);
    auto const found = shared_database().owner().run(
        "SELECT relname::text FROM pg_class WHERE relnamespace = 'recruiting'::regnamespace AND relkind IN ('r', 'p') "
        "AND NOT relispartition");
    CHECK(names_of(found) == listed);
}

TEST_CASE("a moved table names the organization of each row", "[recruitctl][move]") {
    auto const found = shared_database().owner().run(
        "SELECT DISTINCT attrelid::regclass::text FROM pg_attribute WHERE attname = 'organization_id' AND attnotnull "
        "AND NOT attisdropped OR attrelid = 'recruiting.mail_outbox'::regclass");
    auto const with_organization = names_of(found);
    for (auto const table : recruitctl::moved_tables)
        if (table != "organizations" && table != "users")
            CHECK(with_organization.contains("recruiting." + std::string(table)));
}

TEST_CASE("rows are imported after those that they refer to", "[recruitctl][move]") {
    auto const found = shared_database().owner().run("SELECT c.relname::text, f.relname::text FROM pg_constraint k "
                                                     "JOIN pg_class c ON c.oid = k.conrelid JOIN pg_class f "
                                                     "ON f.oid = k.confrelid WHERE k.contype = 'f' AND c.relnamespace "
                                                     "= 'recruiting'::regnamespace AND c.oid <> f.oid");
    REQUIRE(found.size() > 40);
    for (int row = 0; row < found.size(); ++row) {
        CAPTURE(found.text(row, 0), found.text(row, 1));
        auto const place = place_of(found.text(row, 0));
        if (place < std::ssize(recruitctl::moved_tables)) CHECK(place_of(found.text(row, 1)) < place);
    }
}

// A trigger that derives rows, or sends mails, would do so again for each row that is imported.
TEST_CASE("triggers leave rows that are moved as they are", "[recruitctl][move]") {
    auto const found = shared_database().owner().run(R"(
SELECT c.relname || ' ' || t.tgname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
WHERE NOT t.tgisinternal AND t.tgparentid = 0 AND c.relnamespace = 'recruiting'::regnamespace
  AND t.tgtype & (4 | 8) > 0 AND t.tgname <> 'frozen' AND pg_get_triggerdef(t.oid) NOT LIKE '%is_moving()%')");
    CHECK(names_of(found) == names{
                                 "applications copy_created_at", // the same value
                                 "audit_log divert",             // only rows without a sequence
                                 "candidates write_record",      // the same value
                                 "jobs notify_added",            // public-api shows what was imported
                                 "jobs notify_removed",
                                 "jobs set_public_url", // the same value
                                 "jobs write_record",   // the same value
                                 "organizations notify_published",
                             });
}

} // namespace move_tables_test
