#include "recruitctl/commands/migrations.hpp"
#include "support/catch.hpp"

namespace migration_script_test {
using namespace recruiting::recruitctl;
using namespace std::chrono_literals;

TEST_CASE("a file is run statement by statement when its first line says so", "[migrate]") {
    CHECK(is_stepwise("-- recruitctl: statement by statement\nSELECT 1;\n"));
    CHECK(is_stepwise("-- recruitctl: statement by statement\r\nSELECT 1;\n"));
    CHECK_FALSE(is_stepwise("\n-- recruitctl: statement by statement\n"));
    CHECK_FALSE(is_stepwise("CREATE TABLE recruiting.a (id int);"));
    CHECK_FALSE(is_stepwise(""));
}

TEST_CASE("a stepwise file's statements end with a semicolon at a line's end, comments are left out", "[migrate]") {
    auto const found = statements_of("-- recruitctl: statement by statement\n"
                                     "\n"
                                     "-- Why: the list; sorted.\n"
                                     "CREATE INDEX CONCURRENTLY IF NOT EXISTS a\n"
                                     "    ON recruiting.jobs (id);  \n"
                                     "DROP INDEX CONCURRENTLY IF EXISTS recruiting.b;\n"
                                     "ANALYZE recruiting.jobs");
    REQUIRE(found == std::vector<std::string>{"CREATE INDEX CONCURRENTLY IF NOT EXISTS a\nON recruiting.jobs (id);",
                                              "DROP INDEX CONCURRENTLY IF EXISTS recruiting.b;",
                                              "ANALYZE recruiting.jobs"});
    CHECK(statements_of("-- nothing\n").empty());
}

TEST_CASE("only what is CONCURRENTLY may wait for long", "[migrate]") {
    CHECK(is_concurrent("CREATE INDEX CONCURRENTLY IF NOT EXISTS a ON b (c);"));
    CHECK(is_concurrent("drop index concurrently if exists a;"));
    CHECK_FALSE(is_concurrent("ALTER TABLE recruiting.jobs VALIDATE CONSTRAINT concurrently_checked;"));
}

TEST_CASE("pauses between attempts grow up to a limit", "[migrate]") {
    CHECK(next_pause(250ms) == 500ms);
    auto pause = 250ms;
    for (int i = 0; i < 20; ++i) {
        CHECK(next_pause(pause) >= pause);
        pause = next_pause(pause);
    }
    CHECK(pause == 10s);
}

} // namespace migration_script_test
