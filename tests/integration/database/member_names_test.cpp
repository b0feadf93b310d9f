// Which name of a person the views show.
#include "support/catch.hpp"
#include "support/database.hpp"

namespace member_names_test {
using namespace recruiting;
using namespace recruiting::test;

TEST_CASE("no view shows a person's name to an organization that gave another", "[roles]") {
    auto& database = shared_database().owner();
    auto const reading = database.run(R"sql(
SELECT DISTINCT c.relname, pg_get_viewdef(c.oid) FROM pg_depend d
JOIN pg_rewrite r ON d.classid = 'pg_rewrite'::regclass AND r.oid = d.objid
JOIN pg_class c ON c.oid = r.ev_class
JOIN pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid AND a.attname = 'name'
WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = 'recruiting.users'::regclass)sql");
    CHECK(reading.size() == 6);
    for (int row = 0; row < reading.size(); ++row) {
        CAPTURE(reading.text(row, 0));
        auto const left =
            database.run(R"(SELECT regexp_replace($1, 'COALESCE\(\w+\.invited_name, u\.name\)', '', 'g'))",
                         pg::params{}.text(reading.text(row, 1)));
        CHECK(left.text(0, 0).find("u.name") == std::string_view::npos);
    }
}

} // namespace member_names_test
