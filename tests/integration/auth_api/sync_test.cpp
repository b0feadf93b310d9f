// Warehouse sync without loss (proto-docs/lists.md): every record once, then exactly what changed, however late it
// committed.
#include "integration/auth_api/sync_copies.hpp"
#include "integration/support/http_server_harness.hpp"
#include "support/catch.hpp"
#include "support/database.hpp"
#include "support/directory.hpp"

#include <boost/json.hpp>
#include <map>
#include <set>

namespace sync_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

struct sync_fixture {
    test_database database;
    std::string slug = new_slug();
    directory::organization organization = make_organization(database.owner(), slug);
    std::string secret = make_key(database.owner(), slug, "admin@" + slug + ".example", {"*"}).secret;
    auth_api_harness service{database.auth_url()};

    void add_job(pg::client& on, std::string const& title) const {
        on.run(
            "INSERT INTO recruiting.jobs (id, organization_id, external_id, title) VALUES ($1::uuid, $2::uuid, $3, $3)",
            pg::params{}.id(new_record_id()).id(organization.id).text(title));
    }

    // Rounds until all that has committed by now has come: title → deleted; the token moves on.
    std::map<std::string, bool> catch_up(std::string& token) {
        auto const wanted = next_transaction(database.owner());
        std::map<std::string, bool> seen;
        REQUIRE(eventually([&] {
            for (auto const& [title, deleted] : round(token)) {
                INFO("once: " << title);
                REQUIRE(seen.emplace(title, deleted).second);
            }
            return synced_up_to(token) >= wanted;
        }));
        return seen;
    }

    // One whole round: title → deleted; the token moves on.
    std::map<std::string, bool> round(std::string& token) const {
        std::map<std::string, bool> seen;
        for (bool more = true; more;) {
            auto const answer = service.get("/jobs?limit=2&syncToken=" + token, secret);
            REQUIRE(answer.status == 200);
            auto const body = boost::json::parse(answer.body).as_object();
            for (auto const& item : body.at("data").as_array()) {
                auto const title = std::string(item.at("title").as_string());
                INFO("once: " << title);
                REQUIRE(seen.emplace(title, !item.at("deletedAt").is_null()).second);
            }
            auto const& page = body.at("page").as_object();
            token = page.at("syncToken").as_string();
            more = page.at("hasMore").as_bool();
        }
        return seen;
    }
};

using rows_seen = std::map<std::string, bool>;

} // namespace

TEST_CASE("a row whose transaction commits late is in the next round, not lost", "[auth_api][sync]") {
    sync_fixture f;
    auto& owner = f.database.owner();
    pg::client late(f.database.owner_url());
    pg::transaction pending(late);
    f.add_job(late, "late"); // has its transaction number now and commits after others have
    f.add_job(owner, "early");
    std::string token;
    auto seen = f.round(token);
    f.add_job(owner, "later");
    for (auto const& [title, deleted] : f.round(token)) seen.emplace(title, deleted);
    pending.commit();
    for (auto const& [title, deleted] : f.catch_up(token)) {
        INFO("twice: " << title);
        REQUIRE(seen.emplace(title, deleted).second);
    }
    REQUIRE(seen == rows_seen{{"early", false}, {"late", false}, {"later", false}});
    REQUIRE(f.catch_up(token).empty());
}

TEST_CASE("a change of the hiring team or of the careers page is a change of the job", "[auth_api][sync]") {
    sync_fixture f;
    auto& owner = f.database.owner();
    f.add_job(owner, "a");
    owner.run("UPDATE recruiting.jobs SET published = true, status = 'open'");
    std::string token;
    REQUIRE(f.catch_up(token).size() == 1);
    owner.run("INSERT INTO recruiting.hiring_teams (organization_id, job_id, membership_id) "
              "SELECT j.organization_id, j.id, m.id FROM recruiting.jobs j JOIN recruiting.memberships m "
              "ON m.organization_id = j.organization_id");
    REQUIRE(f.catch_up(token).size() == 1);
    owner.run("UPDATE recruiting.organizations SET careers_page_url = 'https://careers.example/' WHERE id = $1::uuid",
              pg::params{}.id(f.organization.id));
    REQUIRE(f.catch_up(token).size() == 1);
    auto const body = f.service.get("/jobs", f.secret).body;
    REQUIRE(body.find("\"publicUrl\":\"https://careers.example/jobs/") != std::string::npos);
}

TEST_CASE("a changed applyUrl is a change of the job", "[auth_api][sync]") {
    sync_fixture f;
    auto& owner = f.database.owner();
    f.add_job(owner, "a");
    std::string token;
    REQUIRE(f.catch_up(token).size() == 1);
    REQUIRE(f.service.get("/jobs", f.secret).body.find(R"("applyUrl":null)") != std::string::npos);
    owner.run("UPDATE recruiting.jobs SET apply_url = 'https://acme.example/apply'");
    auto const before = token;
    REQUIRE(f.catch_up(token).size() == 1);
    for (auto const& path : {std::string("/jobs"), "/jobs?syncToken=" + before})
        REQUIRE(f.service.get(path, f.secret).body.find(R"("applyUrl":"https://acme.example/apply")") !=
                std::string::npos);
}

TEST_CASE("a sync token goes with its list alone, and with nothing else", "[auth_api][sync][400]") {
    sync_fixture f;
    std::string token;
    static_cast<void>(f.catch_up(token));
    REQUIRE(f.service.get("/candidates?syncToken=" + token, f.secret).status == 400);
    REQUIRE(f.service.get("/jobs?status=open&syncToken=" + token, f.secret).status == 400);
    REQUIRE(f.service.get("/jobs?sort=title&syncToken=", f.secret).status == 400);
    token.back() = token.back() == 'A' ? 'B' : 'A';
    REQUIRE(f.service.get("/jobs?syncToken=" + token, f.secret).status == 400);
}

} // namespace sync_test
