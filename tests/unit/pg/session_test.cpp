#include "pg/schema_store.hpp"
#include "support/catch.hpp"

namespace session_test {
using namespace recruiting;

TEST_CASE("session options are pairs of names and values", "[pg]") {
    using pairs = std::vector<std::pair<std::string, std::string>>;
    CHECK(pg::parse_options("-c jit=off  -c statement_timeout=1000") ==
          pairs{{"jit", "off"}, {"statement_timeout", "1000"}});
    CHECK(pg::parse_options("").empty());
    for (auto const* wrong : {"jit=off", "-c", "-c jit", "-c -c jit=off"})
        CHECK_THROWS_AS(pg::parse_options(wrong), std::logic_error);
}

TEST_CASE("sessions without a pooler are their connections' own", "[pg]") {
    pg::session_check check;
    int a = 0;
    int b = 0;
    CHECK(check.admit(&a, {100, 1}, true));
    CHECK(check.admit(&b, {100, 1}, true)); // two servers in containers may even start at the same time
    CHECK(check.fault().empty());
}

TEST_CASE("a pooler that keeps sessions is believed at the second answer", "[pg]") {
    pg::session_check check;
    int a = 0;
    int b = 0;
    CHECK_FALSE(check.admit(&a, {100, 1}, false));
    CHECK_FALSE(check.admit(&b, {101, 1}, false));
    CHECK(check.admit(&a, {100, 1}, false));
    CHECK(check.admit(&b, {101, 1}, false));
    check.forget(&b);
    CHECK_FALSE(check.admit(&b, {100, 2}, false)); // the same number on another server is no proof
    CHECK(check.fault().empty());
}

TEST_CASE("one backend for two connections, or two for one, is a pooler that changes sessions", "[pg]") {
    pg::session_check check;
    int a = 0;
    int b = 0;
    check.admit(&a, {100, 1}, false);
    SECTION("two connections") { CHECK_FALSE(check.admit(&b, {100, 1}, false)); }
    SECTION("two backends") { CHECK_FALSE(check.admit(&a, {101, 1}, false)); }
    CHECK(check.fault().find("pool_mode=session") != std::string::npos);
    CHECK_FALSE(check.admit(&a, {100, 1}, false));
    CHECK_FALSE(check.admit(&a, {100, 1}, false));
    check.forget(&a);
    check.forget(&b);
    CHECK(check.fault().empty());
}

TEST_CASE("a prepared statement that is gone is a pooler that changes sessions, for every connection", "[pg]") {
    pg::session_check check;
    int a = 0;
    CHECK_FALSE(check.admit(&a, {100, 1}, false));
    CHECK(check.admit(&a, {100, 1}, false));
    check.lost_statement();
    CHECK(check.fault().find("pool_mode=session") != std::string::npos);
    CHECK_FALSE(check.admit(&a, {100, 1}, false));
}

} // namespace session_test
