// The catalogue follows PostgreSQL: changes, outages, restarts. Whatever becomes of PostgreSQL, jobs are served.
#include "integration/public_api/harness.hpp"
#include "integration/public_api/organization.hpp"
#include "integration/support/cut_link.hpp"
#include "integration/support/http_client.hpp"
#include "integration/support/http_server_harness.hpp"
#include "support/catch.hpp"
#include "support/database.hpp"

#include <boost/json.hpp>

namespace catalogue_test {
using namespace recruiting;
using namespace recruiting::test;
namespace json = boost::json;

namespace {

constexpr std::string_view base = "/api/public/v1";

// A service on a database of its own, so that snapshots can be counted.
struct system_of_one {
    explicit system_of_one(std::chrono::milliseconds refresh = std::chrono::minutes{1},
                           std::chrono::milliseconds comparison = std::chrono::hours{1})
        : way(database.public_url()), harness(way.url(), true,
                                              [=](public_api::settings& s) {
                                                  s.catalogue_refresh = refresh;
                                                  s.catalogue_comparison = comparison;
                                              }),
          client(harness.port()) {}

    unsigned status(std::string const& path) { return client.get(std::string(base) + path).status; }
    json::value data(std::string const& path) {
        return json::parse(client.get(std::string(base) + path).body).at("data");
    }
    std::size_t listed() { return data("/organizations/" + own.slug() + "/jobs?limit=100").as_array().size(); }
    int reloads(std::string const& kind) {
        auto const text = harness.metrics();
        auto const name = "catalogue_reloads_total{kind=\"" + kind + "\"} ";
        return std::stoi(text.substr(text.find(name) + name.size()));
    }
    std::string readiness() { return http_client(harness.admin_port()).get("/readyz").body; }

    test_database database;
    own_organization own{database.owner()};
    cut_link way;
    public_api_harness harness;
    http_client client;
};

} // namespace

TEST_CASE("every change of what is published is seen, by what PostgreSQL tells alone", "[public_api][catalogue]") {
    system_of_one world;
    auto const first = world.own.add_job("First");
    REQUIRE(eventually([&] { return world.status("/jobs/" + first) == 200; }));
    world.own.change_job(first, "title = 'Changed'");
    REQUIRE(eventually([&] { return world.data("/jobs/" + first).at("title").as_string() == "Changed"; }));

    std::string const stage = to_string(new_record_id());
    world.database.owner().run(
        "INSERT INTO recruiting.stages (id, organization_id, job_id, name, kind, position, bookable, "
        "interview_duration_minutes) VALUES ($1, $2, $3, 'Talk', 'interview', 1, true, 30)",
        pg::params().text(stage).text(world.own.id()).text(first));
    REQUIRE(eventually([&] { return world.data("/jobs/" + first).at("bookableStages").as_array().size() == 1; }));

    for (auto const* hidden : {"published = false", "status = 'closed'", "deleted_at = now()", "closes_at = now()"}) {
        auto const job = world.own.add_job("Hidden");
        REQUIRE(eventually([&] { return world.status("/jobs/" + job) == 200; }));
        world.own.change_job(job, hidden);
        INFO(hidden);
        REQUIRE(eventually([&] { return world.status("/jobs/" + job) == 404; }));
        REQUIRE(world.listed() == 1);
    }
    world.own.change("slug = 'renamed', name = 'Renamed'");
    REQUIRE(eventually([&] { return world.status("/organizations/renamed/jobs") == 200; }));
    REQUIRE(world.status("/organizations/" + world.own.slug()) == 404);
    REQUIRE(world.data("/jobs/" + first).at("organization").at("name").as_string() == "Renamed");
}

TEST_CASE("changed looks and apply URLs of an organization and of a job are seen", "[public_api][catalogue]") {
    system_of_one world;
    auto const job = world.own.add_job("First");
    REQUIRE(eventually([&] { return world.status("/jobs/" + job) == 200; }));
    REQUIRE(world.data("/jobs/" + job).at("applyUrl").is_null());
    auto const apply_url_is = [&](std::string_view wanted) {
        return eventually([&] { return world.data("/jobs/" + job).at("applyUrl") == json::value(wanted); });
    };
    world.own.change("apply_url = 'mailto:jobs@acme.example'");
    REQUIRE(apply_url_is("mailto:jobs@acme.example"));
    world.own.change_job(job, "apply_url = 'https://apply.example/1'");
    REQUIRE(apply_url_is("https://apply.example/1"));
    world.own.change("apply_url = 'https://acme.example/apply'"); // the job's own stays
    world.own.change("accent_color = '#0b5fff', share_image_url = 'https://acme.example/share.png'");
    auto const organization = "/organizations/" + world.own.slug();
    REQUIRE(eventually([&] { return world.data(organization).at("accentColor") == "#0b5fff"; }));
    REQUIRE(world.data(organization).at("shareImageUrl") == "https://acme.example/share.png");
    REQUIRE(apply_url_is("https://apply.example/1"));
    world.own.change("introduction_html = '<p>Robots</p><script>x</script>'"); // not as recruitctl would leave it
    REQUIRE(eventually([&] { return world.data(organization).at("introductionHtml") == "<p>Robots</p>"; }));
    world.own.change_job(job, "apply_url = NULL");
    REQUIRE(apply_url_is("https://acme.example/apply"));
    for (auto const* const bad :
         {"accent_color = '#0B5FFF'", "accent_color = 'red'", "apply_url = 'javascript:alert(1)'",
          "apply_url = 'https://a b'", "apply_url = 'https://'", "introduction_html = ''",
          "introduction_html = repeat('x', 10001)"})
        REQUIRE_THROWS(world.own.change(bad));
    REQUIRE_THROWS(world.own.change_job(job, "apply_url = 'javascript:alert(1)'"));
}

TEST_CASE("a job closes at its time, without being told", "[public_api][catalogue]") {
    system_of_one world;
    auto const job = world.own.add_job("Closing");
    world.own.change_job(job, "closes_at = clock_timestamp() + interval '1 second'");
    REQUIRE(eventually([&] { return world.harness.snapshots() >= 2; }));
    REQUIRE(eventually([&] { return world.status("/jobs/" + job) == 404; }));
    REQUIRE(world.listed() == 0);
    REQUIRE(world.data("/organizations/" + world.own.slug()).at("openJobCount").as_int64() == 0);
}

TEST_CASE("organizations of all pages are read at the start", "[public_api][catalogue]") {
    test_database database;
    database.owner().script(
        "INSERT INTO recruiting.organizations (id, slug, name) "
        "SELECT gen_random_uuid(), 'many-' || n, 'One of many' FROM generate_series(1, 250) AS n; "
        "INSERT INTO recruiting.jobs (id, organization_id, title, status, published) "
        "SELECT gen_random_uuid(), id, 'Engineer', 'open', slug <> 'many-250' FROM recruiting.organizations");
    public_api_harness harness(database.public_url());
    REQUIRE(eventually([&] { return http_client(harness.admin_port()).get("/readyz").status == 200; }));
    CHECK(harness.metrics().find("recruiting_public_api_catalogue_organizations 249\n") != std::string::npos);
    http_client client(harness.port());
    for (int number = 1; number <= 250; ++number) {
        auto const path = std::string(base) + "/organizations/many-" + std::to_string(number) + "/jobs";
        CHECK(client.get(path).status == (number < 250 ? 200 : 404));
    }
}

TEST_CASE("while PostgreSQL is away jobs are served, what changed meanwhile is seen when it is back",
          "[public_api][catalogue]") {
    system_of_one world;
    auto const job = world.own.add_job("Served");
    REQUIRE(eventually([&] { return world.status("/jobs/" + job) == 200; }));
    for (int round = 0; round < 3; ++round) {
        world.way.cut();
        REQUIRE(eventually([&] { return !world.harness.database_ready(); }));
        REQUIRE(world.status("/jobs/" + job) == 200);
        REQUIRE(world.listed() == 1 + static_cast<std::size_t>(round));
        REQUIRE(world.status("/jobs/" + to_string(new_record_id())) == 404);
        REQUIRE(world.readiness().find(R"("status":"ready")") != std::string::npos);
        REQUIRE(world.readiness().find(R"("postgres":"unavailable)") != std::string::npos);
        auto const meanwhile = world.own.add_job("Meanwhile");
        world.way.join();
        REQUIRE(eventually([&] { return world.status("/jobs/" + meanwhile) == 200; }));
        auto const after = world.own.add_job("After"); // listens again
        REQUIRE(eventually([&] { return world.status("/jobs/" + after) == 200; }));
        world.own.change_job(after, "published = false");
        REQUIRE(eventually([&] { return world.status("/jobs/" + after) == 404; }));
    }
    REQUIRE(eventually([&] { return world.readiness().find(R"("postgres":"ok")") != std::string::npos; }));
}

TEST_CASE("an instance that starts while PostgreSQL is away says so until it is back", "[public_api][catalogue]") {
    test_database database;
    own_organization own(database.owner());
    auto const job = own.add_job("Later");
    cut_link way(database.public_url());
    way.cut();
    public_api_harness harness(way.url(), false);
    http_client client(harness.port());
    for (auto const& path :
         {"/jobs/" + job, "/organizations/" + own.slug(), std::string("/jobs?organization=nobody")}) {
        auto const away = client.get(std::string(base) + path);
        REQUIRE(away.status == 503);
        REQUIRE(away.header("retry-after") == "1");
        REQUIRE(away.header("cache-control") == "no-store");
    }
    REQUIRE(client.get(std::string(base) + "/none").status == 404);
    REQUIRE(http_client(harness.admin_port()).get("/readyz").status == 503);
    way.join();
    REQUIRE(eventually([&] { return client.get(std::string(base) + "/jobs/" + job).status == 200; }));
    REQUIRE(http_client(harness.admin_port()).get("/readyz").status == 200);
}

TEST_CASE("an answer that is lost on its way is read again", "[public_api][catalogue]") {
    system_of_one world(std::chrono::milliseconds{1000});
    for (int round = 1; round <= 3; ++round) {
        world.way.lose_an_answer();
        auto const job = world.own.add_job("Lost and found");
        REQUIRE(eventually([&] { return world.status("/jobs/" + job) == 200; }));
    }
}

TEST_CASE("a thousand changes in a burst are few reloads", "[public_api][catalogue]") {
    system_of_one world;
    auto const job = world.own.add_job("Busy");
    REQUIRE(eventually([&] { return world.status("/jobs/" + job) == 200; }));
    auto const before = world.harness.snapshots();
    for (int change = 1; change <= 1000; ++change)
        world.own.change_job(job, "title = 'Change " + std::to_string(change) + "'");
    REQUIRE(eventually([&] { return world.data("/jobs/" + job).at("title").as_string() == "Change 1000"; }));
    REQUIRE(world.harness.snapshots() - before < 500);
}

TEST_CASE("what changed while PostgreSQL was away is seen when it is back, and nothing else is read",
          "[public_api][catalogue]") {
    system_of_one world;
    auto const hidden = world.own.add_job("Hidden"), deleted = world.own.add_job("Deleted"),
               changed = world.own.add_job("Changed"), kept = world.own.add_job("Kept");
    own_organization gone(world.database.owner()), idle(world.database.owner());
    auto const last_of_gone = gone.add_job("Gone"), idle_job = idle.add_job("Idle");
    for (auto const& job : {hidden, deleted, changed, kept, last_of_gone, idle_job})
        REQUIRE(eventually([&] { return world.status("/jobs/" + job) == 200; }));
    REQUIRE(world.reloads("all") == 1);

    world.way.cut();
    REQUIRE(eventually([&] { return !world.harness.database_ready(); }));
    world.own.change_job(hidden, "published = false");
    world.own.change_job(changed, "title = 'New'");
    world.own.change("name = 'Renamed'");
    world.database.owner().run("DELETE FROM recruiting.jobs WHERE id = $1", pg::params().text(deleted));
    world.database.owner().run("DELETE FROM recruiting.jobs WHERE id = $1", pg::params().text(last_of_gone));
    auto const added = world.own.add_job("Added");
    world.way.join();
    REQUIRE(eventually([&] { return world.status("/jobs/" + added) == 200; }));
    CHECK(world.status("/jobs/" + hidden) == 404);
    CHECK(world.status("/jobs/" + deleted) == 404);
    CHECK(world.data("/jobs/" + changed).at("title").as_string() == "New");
    CHECK(world.data("/jobs/" + kept).at("organization").at("name").as_string() == "Renamed");
    CHECK(world.status("/organizations/" + gone.slug()) == 404);
    CHECK(world.status("/jobs/" + idle_job) == 200);
    CHECK(world.reloads("all") == 1);
}

TEST_CASE("a change that commits after later ones were read is read too", "[public_api][catalogue]") {
    system_of_one world(std::chrono::milliseconds{1000});
    pg::client slow(world.database.superuser_url());
    slow.script("BEGIN");
    auto const late = to_string(new_record_id());
    slow.run("INSERT INTO recruiting.jobs (id, organization_id, title, status, published) "
             "VALUES ($1, $2, 'Late', 'open', true)",
             pg::params().text(late).text(world.own.id()));
    auto const first = world.own.add_job("First");
    REQUIRE(eventually([&] { return world.status("/jobs/" + first) == 200; }));
    world.way.cut(); // no notification will come
    REQUIRE(eventually([&] { return !world.harness.database_ready(); }));
    slow.script("COMMIT");
    world.way.join();
    REQUIRE(eventually([&] { return world.status("/jobs/" + late) == 200; }));
    CHECK(world.reloads("all") == 1);
}

TEST_CASE("changes are kept for a day", "[public_api][catalogue]") {
    test_database database;
    own_organization own(database.owner());
    own.add_job("First");
    pg::client superuser(database.superuser_url());
    auto const kept = [&] { return superuser.run("SELECT FROM recruiting.published_changes").size(); };
    auto const before = kept();
    REQUIRE(before > 1);
    superuser.run("UPDATE recruiting.published_changes SET changed_at = changed_at - interval '23 hours'");
    own.add_job("Second");
    CHECK(kept() == before + 1);
    superuser.run("UPDATE recruiting.published_changes SET changed_at = changed_at - interval '2 hours'");
    for (int more = 0; more < before + 3; ++more) own.add_job("More"); // each takes two old ones with it
    CHECK(
        superuser.run("SELECT FROM recruiting.published_changes WHERE changed_at < now() - interval '1 day'").empty());
}

TEST_CASE("what nobody told of is seen at the next comparison, one without changes makes no snapshot",
          "[public_api][catalogue]") {
    system_of_one world(std::chrono::milliseconds{1000}, std::chrono::milliseconds{1000});
    auto const silent = to_string(new_record_id());
    pg::client superuser(world.database.superuser_url());
    superuser.script("SET session_replication_role = replica"); // triggers are silent
    superuser.run("INSERT INTO recruiting.jobs (id, organization_id, title, status, published, published_at, record) "
                  "VALUES ($1, $2, 'Silent', 'open', true, now(), '')",
                  pg::params().text(silent).text(world.own.id()));
    REQUIRE(eventually([&] { return world.status("/jobs/" + silent) == 200; }));
    auto const snapshots = world.harness.snapshots();
    auto const seen = world.reloads("all");
    REQUIRE(eventually([&] { return world.reloads("all") >= seen + 2; }));
    REQUIRE(world.harness.snapshots() == snapshots);
}

TEST_CASE("ten thousand jobs are loaded, listed to the last and searched", "[public_api][catalogue]") {
    test_database database;
    own_organization own(database.owner());
    own.add_jobs(10'000);
    public_api_harness harness(database.public_url(), false);
    http_client client(harness.port());
    auto const list = std::string(base) + "/organizations/" + own.slug() + "/jobs";
    REQUIRE(eventually([&] { return client.get(list).status == 200; }));
    std::size_t listed = 0;
    for (auto next = list + "?limit=100"; !next.empty();) {
        auto const answer = client.get(next);
        listed += json::parse(answer.body).at("data").as_array().size();
        auto const link = answer.header("link");
        next = link.empty() ? "" : link.substr(1, link.find('>') - 1);
    }
    REQUIRE(listed == 10'000);
    auto const found = json::parse(client.get(list + "?q=JOB+10000").body).at("data").as_array();
    REQUIRE(found.size() == 1);
    own.change("name = 'Renamed'"); // all of them are read again
    REQUIRE(eventually([&] { return client.get(list + "?q=JOB+10000").body.find("Renamed") != std::string::npos; }));
}

} // namespace catalogue_test
