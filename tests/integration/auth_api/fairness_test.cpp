// One organization can't slow another: what its costly requests wait for, nobody else waits for; what it may not have
// waiting is refused, told which limit it was, and audited.
#include "auth_api/settings.hpp"
#include "integration/auth_api/harness.hpp"
#include "integration/support/http_server_harness.hpp"
#include "support/catch.hpp"
#include "support/database.hpp"
#include "support/directory.hpp"

#include <boost/json.hpp>

#include <atomic>
#include <thread>
#include <vector>

namespace fairness_test {
using namespace recruiting;
using namespace recruiting::test;
using namespace std::chrono_literals;

namespace {

// Two organizations, and a lock that makes every read of candidates wait.
struct two_organizations {
    std::string key_of(std::string const& of) {
        make_organization(database.owner(), of);
        return make_key(database.owner(), of, "admin@" + of + ".example", {"*"}).secret;
    }
    std::string job() {
        auto const made = database.owner().run(
            "INSERT INTO recruiting.jobs (id, organization_id, title, status) SELECT gen_random_uuid(), id, "
            "'Engineer', "
            "'open' FROM recruiting.organizations WHERE slug = $1 RETURNING replace(id::text, '-', '')",
            pg::params{}.text(other_slug));
        return std::string(made.text(0, 0));
    }
    std::int64_t waiting_for_lock() {
        return database.owner()
            .run("SELECT count(*) FROM pg_locks l JOIN pg_database d ON d.oid = l.database "
                 "WHERE d.datname = current_database() AND NOT l.granted")
            .integer(0, 0);
    }
    std::int64_t audited(std::string const& code) {
        return database.owner()
            .run("SELECT count(*) FROM audit_rows WHERE error_code = $1 AND credential_id IS NOT NULL",
                 pg::params{}.text(code))
            .integer(0, 0);
    }

    test_database database;
    std::string slug = new_slug();
    std::string other_slug = new_slug();
    std::string key = key_of(slug);
    std::string other_key = key_of(other_slug);
    std::string other_job = job();
    pg::client locker{database.superuser_url()};
};

boost::json::object first_detail(http_answer const& answer) {
    return boost::json::parse(answer.body).at("error").at("details").at(0).as_object();
}

} // namespace

TEST_CASE("what may not wait is 429 concurrency and audited, another organization notices nothing",
          "[auth_api][fairness]") {
    two_organizations two;
    auth_api_harness const service(two.database.auth_url(), false, [](auth_api::settings& config) {
        config.queues.waiting_costly_reads = 3;
        config.statement_timeout = 20s;
        config.queues.longest_wait = 30s;
    });
    REQUIRE(service.get("/me", two.key).status == 200);
    two.locker.script("BEGIN; LOCK TABLE recruiting.candidates IN ACCESS EXCLUSIVE MODE");
    std::atomic<int> answered{0};
    std::atomic<int> refused{0};
    std::vector<std::thread> searches;
    http_answer refusal;
    auto const search = [&] {
        auto answer = service.get("/candidates?q=ada", two.key);
        if (answer.status == 200) ++answered;
        if (answer.status == 429 && refused++ == 0) refusal = std::move(answer);
    };
    searches.emplace_back(search);
    REQUIRE(eventually([&] { return two.waiting_for_lock() == 1; })); // it runs; of the others three wait
    for (int i = 0; i < 5; ++i) searches.emplace_back(search);
    REQUIRE(eventually([&] { return refused == 2; }));
    CHECK(two.waiting_for_lock() == 1);
    CHECK(answered == 0);
    CHECK(service.get("/me", two.other_key).status == 200);
    CHECK(service.get("/jobs/" + two.other_job, two.other_key).status == 200);
    CHECK(service.get("/jobs?q=engineer", two.key).status == 429); // all its searches are one line
    CHECK(service.get("/me", two.key).status == 200);              // its own quick reads go on
    two.locker.script("ROLLBACK");
    for (auto& one : searches) one.join();
    CHECK(answered == 4);
    CHECK(refusal.header("retry-after") == "1");
    CHECK(refusal.header("ratelimit-policy") == R"("concurrency";q=3;qu="concurrent-requests")");
    CHECK(refusal.header("ratelimit") == R"("concurrency";r=0;t=1)");
    CHECK(first_detail(refusal).at("reason") == "concurrency");
    CHECK(two.audited("rate_limited") == 3);
}

TEST_CASE("who has no right to search is told so, not that too many wait", "[auth_api][fairness]") {
    two_organizations two;
    auto const blind = make_key(two.database.owner(), two.slug, "admin@" + two.slug + ".example", {"jobs:read"}).secret;
    auth_api_harness const service(two.database.auth_url(), false, [](auth_api::settings& config) {
        config.queues.waiting_costly_reads = 1;
        config.statement_timeout = 20s;
        config.queues.longest_wait = 30s;
    });
    REQUIRE(service.get("/me", two.key).status == 200);
    REQUIRE(service.get("/me", blind).status == 200);
    two.locker.script("BEGIN; LOCK TABLE recruiting.candidates IN ACCESS EXCLUSIVE MODE");
    std::atomic<int> refused{0};
    std::vector<std::thread> searches;
    auto const search = [&] { refused += service.get("/candidates?q=ada", two.key).status == 429 ? 1 : 0; };
    searches.emplace_back(search);
    REQUIRE(eventually([&] { return two.waiting_for_lock() == 1; })); // it runs; of the others one waits
    for (int i = 0; i < 2; ++i) searches.emplace_back(search);
    REQUIRE(eventually([&] { return refused == 1; }));
    CHECK(service.get("/candidates?q=ada", blind).status == 403);
    two.locker.script("ROLLBACK");
    for (auto& one : searches) one.join();
}

TEST_CASE("a search that takes too long is 400 too_costly, any other read 503", "[auth_api][fairness]") {
    two_organizations two;
    auth_api_harness const service(two.database.auth_url(), false,
                                   [](auth_api::settings& config) { config.statement_timeout = 200ms; });
    two.locker.script("BEGIN; LOCK TABLE recruiting.candidates IN ACCESS EXCLUSIVE MODE");
    auto const search = service.get("/candidates?q=ada", two.key);
    CHECK(search.status == 400);
    auto const detail = first_detail(search);
    CHECK(detail.at("field") == "q");
    CHECK(detail.at("reason") == "too_costly");
    CHECK(service.get("/candidates?syncToken=", two.key).status == 503);
    CHECK(service.get("/candidates", two.key).status == 503);
    CHECK(service.get("/jobs", two.key).status == 200);
    two.locker.script("ROLLBACK");
    CHECK(service.get("/candidates?q=ada", two.key).status == 200); // on the same connections
    CHECK(two.audited("service_unavailable") == 2);
}

TEST_CASE("a read whose turn does not come in time is 503", "[auth_api][fairness]") {
    two_organizations two;
    auth_api_harness const service(two.database.auth_url(), false, [](auth_api::settings& config) {
        config.statement_timeout = 20s;
        config.queues.longest_wait = 200ms;
    });
    two.locker.script("BEGIN; LOCK TABLE recruiting.candidates IN ACCESS EXCLUSIVE MODE");
    unsigned status = 0;
    std::thread running([&] { status = service.get("/candidates?q=ada", two.key).status; });
    REQUIRE(eventually([&] { return two.waiting_for_lock() == 1; }));
    CHECK(service.get("/candidates?q=bob", two.key).status == 503);
    CHECK(two.audited("service_unavailable") == 1);
    two.locker.script("ROLLBACK");
    running.join();
    CHECK(status == 200);
}

} // namespace fairness_test
