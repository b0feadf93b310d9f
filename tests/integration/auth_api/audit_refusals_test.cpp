// "A flood with a revoked or expired key may not fill the log: the first 60 rows a minute and key are single rows, the
// rest of that minute becomes one row with a count": exact over instances, durable before each answer, once whoever
// writes it.
#include "audit/event_store.hpp"
#include "audit/verify.hpp"
#include "auth_api/settings.hpp"
#include "integration/auth_api/harness.hpp"
#include "integration/support/http_server_harness.hpp"
#include "support/catch.hpp"
#include "support/database.hpp"
#include "support/directory.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <thread>
#include <vector>

namespace audit_refusals_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

struct flood_fixture {
    test_database database;
    std::string slug = new_slug();
    directory::organization organization = make_organization(database.owner(), slug);
    std::string admin = "admin@" + slug + ".example";
    std::string reader = make_key(database.owner(), slug, admin, {"*"}).secret;
    directory::created_api_key dead = make_key(database.owner(), slug, admin, {"*"});

    void revoke() {
        database.owner().run("UPDATE recruiting.api_keys SET revoked_at = now() WHERE id = $1::uuid",
                             pg::params{}.id(dead.key.id));
    }
    std::int64_t number(std::string const& sql) { return database.owner().run(sql).integer(0, 0); }
    std::string of_dead() { return " credential_id = '" + to_string(dead.key.id) + "'::uuid "; }
    std::int64_t single_rows() {
        return number("SELECT count(*) FROM audit_rows WHERE request_count IS NULL AND" + of_dead());
    }
    std::int64_t counted() {
        return number("SELECT coalesce(sum(unwritten), 0)::bigint FROM recruiting.audit_refusals WHERE" + of_dead());
    }
    // Every minute's single rows are the first 60 of its requests, or all.
    std::int64_t wrong_minutes() {
        return number("SELECT count(*) FROM (SELECT date_trunc('minute', occurred_at) AS minute, count(*) AS single "
                      "FROM audit_rows WHERE request_count IS NULL AND" +
                      of_dead() +
                      " GROUP BY 1) l "
                      "LEFT JOIN (SELECT minute, sum(unwritten) AS unwritten FROM recruiting.audit_refusals WHERE" +
                      of_dead() +
                      " GROUP BY 1) c USING (minute) "
                      "WHERE single > 60 OR (single < 60 AND coalesce(unwritten, 0) > 0)");
    }
    // As if the minutes were over.
    void pass_time() {
        database.owner().run("UPDATE recruiting.audit_refusals SET minute = minute - interval '2 minutes'");
    }
};

// How many of the requests get that status. Asserts nothing, for some run beside the test's own thread.
int flood(auth_api_harness const& service, std::string const& secret, int requests, unsigned status) {
    int answered = 0;
    for (int i = 0; i < requests; ++i) answered += service.get("/jobs", secret).status == status ? 1 : 0;
    return answered;
}

audit::event refused_event(directory::created_api_key const& key, uuid const& organization, timestamp at) {
    audit::event row;
    row.occurred_at = at;
    row.organization_id = organization;
    row.credential_id = key.key.id;
    row.action = "api.request";
    row.status_code = 401;
    row.error_code = "credential_revoked";
    row.ip_address = "192.0.2.1";
    row.credential_refused = true;
    return row;
}

} // namespace

TEST_CASE("a flood with a revoked key: the first 60 rows a minute and key are single rows, over all instances",
          "[auth_api][audit][flood]") {
    flood_fixture f;
    auth_api_harness first(f.database.auth_url());
    auth_api_harness second(f.database.auth_url());
    f.revoke();
    // Two minutes hold 120 single rows at most: 200 requests can't all have one.
    int of_second = 0;
    std::thread beside([&] { of_second = flood(second, f.dead.secret, 100, 401); });
    int const of_first = flood(first, f.dead.secret, 100, 401);
    beside.join();
    REQUIRE(of_first == 100);
    REQUIRE(of_second == 100);
    auto const single = f.single_rows();
    CHECK(single + f.counted() == 200); // none is lost, and each was there before its answer
    CHECK(single <= 120);
    CHECK(single >= 60);
    CHECK(f.wrong_minutes() == 0);
    CHECK(f.number("SELECT count(DISTINCT counter) FROM recruiting.audit_refusals") >= 2);
}

TEST_CASE("the rest of that minute becomes one row with a count, and the chain stays verifiable",
          "[auth_api][audit][flood]") {
    flood_fixture f;
    f.revoke();
    std::int64_t counted = 0;
    {
        auth_api_harness killed(f.database.auth_url());
        REQUIRE(flood(killed, f.dead.secret, 130, 401) == 130);
        counted = f.counted();
        REQUIRE(counted >= 10);
    } // ends as by kill -9: what was answered is counted
    REQUIRE(f.counted() == counted);
    auto const minutes = f.number("SELECT count(DISTINCT minute) FROM recruiting.audit_refusals WHERE unwritten > 0");
    f.pass_time();
    auth_api_harness service(f.database.auth_url(), true);
    auth_api_harness beside(f.database.auth_url(), true);
    REQUIRE(eventually([&] { return f.counted() == 0; }));
    CHECK(f.number("SELECT count(*) FROM audit_rows WHERE request_count IS NOT NULL") == minutes);
    CHECK(f.number("SELECT sum(request_count)::bigint FROM audit_rows") == counted);

    auto const list = service.get("/audit?credentialId=" + to_string(f.dead.key.id) + "&limit=100", f.reader);
    REQUIRE(list.status == 200);
    INFO(list.body);
    auto const listed = boost::json::parse(list.body).at("data").as_array();
    auto const found = std::ranges::find_if(listed, [](auto const& one) { return !one.at("count").is_null(); });
    REQUIRE(found != listed.end()); // a minute that began during the flood has rows without a count
    auto const& row = *found;
    CHECK(row.at("count").as_int64() >= 1);
    CHECK(row.at("success").as_bool() == false);
    CHECK(row.at("statusCode").as_int64() == 401);
    CHECK(row.at("errorCode").as_string() == "credential_revoked");
    CHECK(row.at("credentialName").is_string());
    CHECK(row.at("actor").at("email").as_string() == f.admin);
    CHECK(row.at("endpoint").is_null());
    auto const others = service.get("/audit?action=api.request&success=true&limit=1", f.reader);
    CHECK(boost::json::parse(others.body).at("data").at(0).at("count").is_null());
    auto const csv = service.get("/audit?credentialId=" + to_string(f.dead.key.id), f.reader, "Accept: text/csv\r\n");
    CHECK(csv.body.find(",durationMs,count\r\n") != std::string::npos);

    REQUIRE(eventually([&] { return f.number("SELECT count(*) FROM recruiting.audit_intake") == 0; }));
    std::vector<std::string> discrepancies;
    auto const collect = [&](audit::discrepancy const& one) { discrepancies.push_back(one.message); };
    static_cast<void>(audit::verify(f.database.owner(), std::nullopt, {}, collect));
    CHECK(discrepancies.empty());
    f.database.owner().run("UPDATE recruiting.audit_log SET request_count = 1 WHERE request_count IS NOT NULL");
    static_cast<void>(audit::verify(f.database.owner(), std::nullopt, {}, collect));
    CHECK(discrepancies.size() == static_cast<std::size_t>(minutes)); // the count is part of what is sealed
}

TEST_CASE(
    "a flood in any form of request, with an expired key or from an address that is not allowed, is counted as well",
    "[auth_api][audit][flood]") {
    flood_fixture f;
    auth_api_harness service(f.database.auth_url(), false,
                             [](auth_api::settings& config) { config.audit_rejected_rows = 2; });
    auto const expire = "UPDATE recruiting.api_keys SET expires_at = now() WHERE id = $1::uuid";
    auto const bind = "UPDATE recruiting.api_keys SET expires_at = now() + interval '1 day', "
                      "allowed_ips = '{203.0.113.0/24}' WHERE id = $1::uuid";
    for (auto const* state : {expire, bind}) {
        f.database.owner().run(state, pg::params{}.id(f.dead.key.id));
        f.database.owner().run("DELETE FROM recruiting.audit_refusals");
        auto const before = f.single_rows();
        for (int i = 0; i < 5; ++i) {
            static_cast<void>(service.get("/jobs", f.dead.secret));
            static_cast<void>(service.get("/jobs", f.dead.secret, "Cookie: sp_session=x\r\n"));
            static_cast<void>(service.get("/nowhere", f.dead.secret));
            static_cast<void>(service.post("/agent/invoke", f.dead.secret, std::string(300 * 1024, 'x')));
        }
        CHECK(f.single_rows() - before + f.counted() == 20);
        CHECK(f.single_rows() - before <= 4); // two minutes at most
    }
    auto const before = f.number("SELECT count(*) FROM audit_rows");
    REQUIRE(flood(service, f.reader, 10, 200) == 10); // a key that is accepted is never only counted
    CHECK(f.number("SELECT count(*) FROM audit_rows") == before + 10);
}

TEST_CASE("counts become rows exactly once, however many instances write them at once", "[audit][flood]") {
    flood_fixture f;
    auto const now = system_time().now();
    pg::client services(f.database.auth_url(), "tests");
    auto const type = audit::read_event_type(services.run(audit::select_event_type().sql));
    for (int minute = 0; minute < 20; ++minute) {
        std::vector<audit::event> events;
        for (int i = 0; i < 10; ++i)
            events.push_back(refused_event(f.dead, f.organization.id, now - std::chrono::minutes{10 + minute}));
        std::vector<uuid> const shared(events.size());
        auto const statement = audit::count_refused_events(events, type, shared, 3);
        auto const written = services.run(statement);
        REQUIRE(written.size() == 3);
    }
    std::vector<std::thread> writers;
    for (int i = 0; i < 8; ++i)
        writers.emplace_back([&] {
            pg::client client(f.database.auth_url(), "tests");
            auto const statement = audit::write_refused_counts();
            client.run(statement);
        });
    for (auto& writer : writers) writer.join();
    CHECK(f.number("SELECT count(*) FROM audit_rows WHERE request_count = 7") == 20);
    CHECK(f.number("SELECT count(*) FROM audit_rows WHERE request_count IS NOT NULL") == 20);
    CHECK(f.counted() == 0);
}

TEST_CASE("the services can add to the counts and nothing else", "[audit][flood][roles]") {
    test_database database;
    pg::client services(database.auth_url(), "tests");
    for (auto const* sql : {"SELECT * FROM recruiting.audit_refusals", "DELETE FROM recruiting.audit_refusals",
                            "UPDATE recruiting.audit_refusals SET requests = 0", "TRUNCATE recruiting.audit_refusals"})
        CHECK_THROWS_AS(services.run(sql), pg::query_error);
}

} // namespace audit_refusals_test
