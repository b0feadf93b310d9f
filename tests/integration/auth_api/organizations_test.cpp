// What each organization costs stands in the metrics under its identifier, for as many organizations as are set.
#include "auth_api/settings.hpp"
#include "integration/auth_api/harness.hpp"
#include "support/catch.hpp"
#include "support/database.hpp"
#include "support/directory.hpp"

namespace organizations_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

struct organization {
    explicit organization(test_database& database, std::vector<std::string> const& scopes = {"*"})
        : slug(new_slug()), id(to_string(make_organization(database.owner(), slug).id)),
          key(make_key(database.owner(), slug, "admin@" + slug + ".example", scopes).secret) {}
    std::string slug;
    std::string id;
    std::string key;
};

double value_of(std::string const& page, std::string const& metric, std::string const& label) {
    auto const name = "\nrecruiting_auth_api_organization_" + metric + "{organization=\"" + label + "\"} ";
    auto const at = page.find(name);
    return at == page.npos ? -1 : std::stod(page.substr(at + name.size()));
}

} // namespace

TEST_CASE("the metrics tell which tenants cost most: requests, refusals and PostgreSQL's time, and all together",
          "[organizations]") {
    test_database database;
    organization const first(database);
    organization const refused(database, {"organization:read"});
    organization const third(database);
    std::uint16_t port = 0;
    auth_api_harness const api(database.auth_url(), false, [&](auth_api::settings& config) {
        port = config.admin_listen.port;
        config.metrics_organizations = 2;
    });
    REQUIRE(api.get("/jobs", refused.key).status == 403); // pays for the statements' first plans
    REQUIRE(api.get("/jobs", third.key).status == 200);   // comes before the first, and costs least
    for (int i = 0; i < 200; ++i) REQUIRE(api.get("/jobs", first.key).status == 200);
    for (int i = 0; i < 198; ++i) REQUIRE(api.get("/jobs", refused.key).status == 403);
    REQUIRE(api.get("/organization", refused.key).status == 200);
    REQUIRE(api.get("/jobs", "sp_test_unknown").status == 401);
    auto const page = http_client(port).get("/metrics").body;
    CHECK(value_of(page, "requests_total", first.id) == 200);
    CHECK(value_of(page, "requests_rejected_total", first.id) == 0);
    CHECK(value_of(page, "read_seconds_total", first.id) > 0);
    CHECK(value_of(page, "read_seconds_total", first.id) < 30);
    CHECK(value_of(page, "requests_total", refused.id) == 200);
    CHECK(value_of(page, "requests_rejected_total", refused.id) == 199);
    CHECK(value_of(page, "requests_total", "all") == 401); // nobody's request is no tenant's
    CHECK(value_of(page, "read_seconds_total", "all") > value_of(page, "read_seconds_total", first.id));
    CHECK(page.find(third.id) == page.npos);
}

TEST_CASE("a tenant's reads that PostgreSQL cancels count as its cost, and not as another's", "[organizations]") {
    test_database database;
    organization const slow(database);
    organization const quick(database);
    std::uint16_t port = 0;
    auth_api_harness const api(database.auth_url(), false, [&](auth_api::settings& config) {
        port = config.admin_listen.port;
        config.metrics_organizations = 10;
        config.statement_timeout = std::chrono::milliseconds{500};
    });
    REQUIRE(api.get("/me", slow.key).status == 200);
    REQUIRE(api.get("/me", quick.key).status == 200);
    pg::client locker(database.owner_url());
    locker.script("BEGIN; LOCK TABLE recruiting.jobs");
    REQUIRE(api.get("/jobs", slow.key).status == 503);
    locker.script("ROLLBACK");
    REQUIRE(api.get("/jobs", quick.key).status == 200);
    auto const page = http_client(port).get("/metrics").body;
    CHECK(value_of(page, "read_seconds_total", slow.id) >= 0.4);
    CHECK(value_of(page, "read_seconds_total", quick.id) < 0.4);
}

TEST_CASE("the metrics name no organization unless a number of them is set", "[organizations]") {
    test_database database;
    organization const first(database);
    std::uint16_t port = 0;
    auth_api_harness const api(database.auth_url(), false,
                               [&](auth_api::settings& config) { port = config.admin_listen.port; });
    REQUIRE(api.get("/jobs", first.key).status == 200);
    auto const page = http_client(port).get("/metrics").body;
    CHECK(value_of(page, "requests_total", "all") == 1);
    CHECK(page.find(first.id) == page.npos);
}

} // namespace organizations_test
