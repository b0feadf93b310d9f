// What one caller's choice of filters can make PostgreSQL do is bounded: measured in rows, on 30,000 candidates of one
// organization and 120,000 rows of its audit log; and what stops early goes on with its cursor and misses nothing.
#include "auth_api/routes.hpp"
#include "integration/auth_api/harness.hpp"
#include "integration/support/http_server_harness.hpp"
#include "integration/support/planner.hpp"
#include "support/catch.hpp"
#include "support/directory.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <set>

namespace searches_test {
using namespace recruiting;
using namespace recruiting::test;
namespace json = boost::json;

namespace {

// Everybody has a word beginning with each of a e i o u s m but z. alpha and beta are common and seldom together;
// Hidden is on one job with three others.
constexpr auto fill_candidates = R"sql(
INSERT INTO recruiting.candidates (id, organization_id, name, email, email_key, source, created_at)
SELECT gen_random_uuid(), o.id,
       CASE WHEN n % 1000 = 0 THEN 'Alpha Beta' WHEN n % 2 = 0 THEN 'Alpha Other' ELSE 'Beta Other' END || ' ' || n,
       a.address, a.address, 'import', now() - n * interval '1 minute'
FROM recruiting.organizations o, generate_series(1, 30000) n,
     LATERAL (SELECT 'eva.ina.olga.ute.sara.mia' || n || '@searches.example' AS address) a;
INSERT INTO recruiting.jobs (id, organization_id, external_id, title)
SELECT gen_random_uuid(), o.id, 'job ' || n, 'Job ' || n FROM recruiting.organizations o, generate_series(1, 3) n;
SET session_replication_role = replica;
INSERT INTO recruiting.stages (id, organization_id, job_id, name, kind, position)
SELECT gen_random_uuid(), organization_id, id, 'Applied', 'applied', 0 FROM recruiting.jobs;
INSERT INTO recruiting.applications (id, organization_id, candidate_id, candidate_created_at, job_id, stage_id)
SELECT gen_random_uuid(), c.organization_id, c.id, c.created_at, s.job_id, s.id
FROM recruiting.candidates c JOIN recruiting.stages s ON true JOIN recruiting.jobs j ON j.id = s.job_id
WHERE CASE j.external_id WHEN 'job 1' THEN right(c.name, 4) = '7777' WHEN 'job 2' THEN right(c.name, 3) = '777'
                         ELSE right(c.name, 3) <> '777' END;
SET session_replication_role = origin;
ANALYZE;
)sql";

constexpr auto fill_audit = R"sql(
INSERT INTO recruiting.audit_log (id, occurred_at, organization_id, actor_type, action, endpoint, status_code, success,
                                  sequence, hash)
SELECT gen_random_uuid(), now() - n * interval '10 milliseconds', o.id, 'api_key', 'api.request',
       CASE WHEN n IN (5, 119995) THEN '/rare' ELSE '/api/v1/jobs' END, 200, true, n, ''
FROM recruiting.organizations o, generate_series(1, 120000) n;
ANALYZE;
)sql";

// Filled once for all cases.
struct filled_organization {
    filled_organization() {
        auto& owner = database.owner();
        id = make_organization(owner, slug).id;
        pg::client(database.superuser_url()).script(fill_candidates);
        manager = make_member(owner, slug, "manager@" + slug + ".example", role::hiring_manager).id;
        owner.run("INSERT INTO recruiting.hiring_teams (organization_id, job_id, membership_id) "
                  "SELECT organization_id, id, $1::uuid FROM recruiting.jobs WHERE external_id IN ('job 1', 'job 2')",
                  pg::params().id(manager));
        admin_key = make_key(owner, slug, "admin@" + slug + ".example", {"*"}).secret;
        manager_key = make_key(owner, slug, "manager@" + slug + ".example", {"*"}).secret;
        owner.script(fill_audit);
    }

    test_database database;
    std::string slug = new_slug();
    uuid id;
    uuid manager;
    std::string admin_key;
    std::string manager_key;
};

filled_organization& filled() {
    static auto const made = std::make_unique<filled_organization>();
    return *made;
}

struct searches {
    searches() {
        plans.set("organization_id", to_string(organization.id));
        plans.set("member_id", to_string(organization.manager));
    }

    /// Rows that PostgreSQL reads for the request.
    std::int64_t rows_read(std::string const& as, std::string const& path, std::string const& query) {
        plans.set("role", as);
        http::token_signer const signer("a secret of thirty-two bytes or so");
        auto const match = auth_api::find_route("GET", std::string(auth_api::base_path) + path);
        http::query_reader reader(query);
        auth_api::bind_input in{match.params, reader, signer};
        auto const bound = match.found->action.read(in);
        REQUIRE(bound.has_value());
        return plans.rows_read(bound->statements);
    }

    /// The list's records, from all of its pages.
    std::vector<json::value> walk(std::string const& path, std::string const& key, int* pages = nullptr) {
        std::vector<json::value> out;
        std::string cursor;
        for (int page = 1; page < 500; ++page) {
            auto const answer = service.get(path + cursor, key);
            INFO(path << "\n" << answer.body.substr(0, 2000));
            REQUIRE(answer.status == 200);
            auto const body = json::parse(answer.body);
            for (auto const& record : body.at("data").as_array()) out.push_back(record);
            if (pages != nullptr) *pages = page;
            if (!body.at("page").at("hasMore").as_bool()) return out;
            cursor = "&cursor=" + std::string(body.at("page").at("nextCursor").as_string());
        }
        FAIL("the walk does not end");
        return out;
    }

    static std::vector<std::string> names(std::vector<json::value> const& records) {
        std::vector<std::string> out;
        for (auto const& one : records) out.emplace_back(one.at("name").as_string());
        return out;
    }

    std::string job(std::string const& external_id) {
        auto const found = organization.database.owner().run("SELECT id FROM recruiting.jobs WHERE external_id = $1",
                                                             pg::params().text(external_id));
        return to_string(found.id(0, 0));
    }

    filled_organization& organization = filled();
    std::string const& admin_key = organization.admin_key;
    std::string const& manager_key = organization.manager_key;
    planner plans{organization.database.auth_url(), planner::program::auth_api};
    auth_api_harness service{organization.database.auth_url()};
};

} // namespace

TEST_CASE("searches start from the rarest word and read a bounded number of rows", "[auth_api][searches]") {
    searches f;
    for (int i = 0; i < 12; ++i) { // what took all of a thread's pipeline: 0.9 s each on 20,000 candidates
        std::string const rare = "zzzzz" + std::string(1, static_cast<char>('a' + i));
        CHECK(f.rows_read("admin", "/candidates", "q=a+e+i+o+u+s+m+" + rare) < 9'000);
    }
    CHECK(f.rows_read("admin", "/candidates", "q=a+e+i+o+u+s+m+mia777") < 12'000);
    CHECK(f.rows_read("admin", "/candidates", "q=a+e+i+o+u+s+m+zz&sort=name&status=hired&source=import") < 12'000);
    // Nobody has both: of the common words' candidates a page looks at so many, and no more.
    std::int64_t const counting = 2 * (1'000 + 10'000);
    std::int64_t const looking = 10'000 + 10'000 * (1 + 2);
    CHECK(f.rows_read("admin", "/candidates", "q=alpha+beta&source=nowhere") < counting + looking + 1'000);
    CHECK(f.rows_read("admin", "/candidates", "q=alpha+beta&sort=name") < counting + looking + 1'000);
    CHECK(f.rows_read("admin", "/candidates", "status=withdrawn") < 3 * 10'000 + 1'000);
    CHECK(f.rows_read("admin", "/jobs/" + f.job("job 3") + "/candidates", "q=a+e+i+o+u+s+m+zzzzzz") < 9'000);
}

TEST_CASE("a search that stops before the page is full goes on with its cursor, and returns every match once",
          "[auth_api][searches]") {
    searches f;
    for (auto const* query :
         {"/candidates?q=alpha+beta&limit=200", "/candidates?q=beta,%20alpha&sort=createdAt&limit=20",
          "/candidates?q=alpha+beta&sort=name&include=applications", "/candidates?q=BETA+alph&sort=-name",
          "/candidates?q=alpha+beta&sort=-updatedAt"}) {
        int pages = 0;
        auto const found = f.names(f.walk(query, f.admin_key, &pages));
        INFO(query);
        CHECK(pages > 2);
        CHECK(found.size() == 30);
        CHECK(std::set<std::string>(found.begin(), found.end()).size() == 30);
        if (std::string_view(query).find("sort=name") != std::string_view::npos)
            CHECK(std::is_sorted(found.begin(), found.end()));
    }
    CHECK(f.walk("/candidates?q=alpha+beta+777", f.admin_key).empty());
    CHECK(f.walk("/candidates?q=alpha+28000", f.admin_key).size() == 1);
    CHECK(f.walk("/jobs/" + f.job("job 3") + "/candidates?q=alpha+beta&limit=200", f.admin_key).size() == 30);
}

TEST_CASE("words that fold to nothing are ignored, if none is left, 400", "[auth_api][searches][400]") {
    searches f;
    std::string const accent = "%CC%81"; // U+0301, by itself
    std::string const dash = "%E2%80%94";
    CHECK(f.walk("/candidates?q=" + accent + "+28000+" + dash, f.admin_key).size() == 1);
    CHECK(f.walk("/jobs?q=" + accent + "+job+2", f.admin_key).size() == 1);
    CHECK(f.walk("/candidates?q=%C3%84lpha+28000", f.admin_key).size() == 1); // A with a diaeresis
    for (auto const& path :
         {std::string("/candidates"), std::string("/jobs"), "/jobs/" + f.job("job 1") + "/candidates"})
        for (auto const& q : {accent, dash + "+" + accent, std::string("%2B-")}) {
            INFO(path << " " << q);
            for (auto const& key : {f.admin_key, f.manager_key}) {
                auto const answer = f.service.get(path + "?q=" + q, key);
                REQUIRE(answer.status == 400);
                auto const refused = json::parse(answer.body);
                auto const& detail = refused.at("error").at("details").at(0);
                CHECK(detail.at("field").as_string() == "q");
                CHECK(detail.at("reason").as_string() == "invalid");
            }
        }
}

TEST_CASE("a hiring manager's pages hold their candidates in every order, read by their jobs", "[auth_api][searches]") {
    searches f;
    for (auto const* query : {"limit=7", "limit=7&sort=createdAt", "limit=7&sort=name", "limit=7&sort=-updatedAt",
                              "q=other&limit=7", "status=active&limit=7", "source=import&limit=7"}) {
        INFO(query);
        auto found = f.names(f.walk(std::string("/candidates?") + query, f.manager_key));
        CHECK(found.size() == 30); // each once, who is on both jobs too
        CHECK(std::set<std::string>(found.begin(), found.end()).size() == 30);
        CHECK(f.rows_read("hiring_manager", "/candidates", query) < 12'000); // q: its words are counted
        CHECK(f.rows_read("hiring_manager", "/candidates", "limit=7") < 200);
    }
    CHECK(f.walk("/candidates?status=hired", f.manager_key).empty());
    CHECK(f.walk("/candidates?q=777", f.manager_key).size() == 2);     // and 7777
    CHECK(f.walk("/candidates?q=alpha+28000", f.manager_key).empty()); // not theirs
    auto const newest = f.names(f.walk("/candidates?limit=7", f.manager_key));
    CHECK(newest.front().ends_with(" 777"));
    CHECK(newest.back().ends_with(" 29777"));
    auto const foreign = f.job("job 3"); // with all of the others' applications
    CHECK(f.service.get("/jobs/" + foreign + "/candidates", f.manager_key).status == 404);
    CHECK(f.service.get("/pipeline?jobId=" + foreign, f.manager_key).status == 404);
    CHECK(f.rows_read("hiring_manager", "/jobs/" + foreign + "/candidates", "") < 100);
    CHECK(f.rows_read("hiring_manager", "/pipeline", "jobId=" + foreign) < 100);
}

TEST_CASE("every audit filter is served by an index or bounded to a time range", "[auth_api][searches][audit]") {
    searches f;
    std::string const nobody(32, '0');
    for (auto const& query :
         {"credentialId=" + nobody, "sessionId=" + nobody, std::string("action=key.revoked"),
          std::string("success=false"), std::string("requestId=0123456789abcdef"),
          std::string("occurredBefore=2001-01-01T00:00Z"), "sessionId=" + nobody + "&endpoint=/rare&statusCode=500"}) {
        INFO(query);
        CHECK(f.rows_read("admin", "/audit", query) < 50);
    }
    for (auto const* query :
         {"memberId=00000000000000000000000000000000", "endpoint=/nothing", "statusCode=500", "ipAddress=192.0.2.1",
          "success=true&statusCode=418", "action=api.request&endpoint=/nothing", "action=key.revoked,key.created",
          "endpoint=/nothing&order=asc"}) {
        INFO(query); // the place of the last row looked at, and the rows up to there
        CHECK(f.rows_read("admin", "/audit", query) < 2 * 100'001 + 50);
        CHECK(f.rows_read("admin", "/audit", query) > 100'000);
    }
    for (auto const* query :
         {"/audit?endpoint=/rare", "/audit?endpoint=/rare&order=asc", "/audit?endpoint=/rare&limit=1"}) {
        int pages = 0;
        INFO(query);
        CHECK(f.walk(query, f.admin_key, &pages).size() == 2);
        CHECK(pages >= 2);
    }
    auto const lines = f.service.get("/audit?endpoint=/rare", f.admin_key, "Accept: application/x-ndjson\r\n").body;
    CHECK(std::count(lines.begin(), lines.end(), '\n') == 2);
    auto const none = f.service.get("/audit?endpoint=/nothing", f.admin_key, "Accept: text/csv\r\n").body;
    CHECK(std::count(none.begin(), none.end(), '\n') == 1); // the header
}

} // namespace searches_test
