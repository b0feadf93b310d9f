// What internal systems find in lists and records: external ids, addresses, filters of several values.
#include "integration/auth_api/sync_copies.hpp"
#include "integration/public_api/harness.hpp"
#include "integration/support/http_server_harness.hpp"
#include "support/catch.hpp"
#include "support/database.hpp"
#include "support/directory.hpp"

#include <boost/json.hpp>

namespace lists_test {
using namespace recruiting;
using namespace recruiting::test;
namespace json = boost::json;

namespace {

// Two organizations that use the same external ids, each with two candidates who applied to its job.
struct lists_fixture {
    lists_fixture() {
        for (auto const& name : {slug, other_slug}) fill(name);
    }

    void fill(std::string const& name) {
        auto& owner = database.owner();
        make_organization(owner, name);
        owner.run(R"sql(
WITH o AS (SELECT id FROM recruiting.organizations WHERE slug = $1),
     j AS (INSERT INTO recruiting.jobs (id, organization_id, external_id, title, status)
           SELECT gen_random_uuid(), o.id, 'job, 1', 'Job', 'draft' FROM o RETURNING id, organization_id)
INSERT INTO recruiting.stages (id, organization_id, job_id, name, kind, position)
SELECT gen_random_uuid(), organization_id, id, 'Applied', 'applied', 0 FROM j)sql",
                  pg::params().text(name));
        owner.run(R"sql(
INSERT INTO recruiting.candidates (id, organization_id, external_id, name)
SELECT gen_random_uuid(), o.id, 'candidate ' || n, 'Person ' || n
FROM recruiting.organizations o, generate_series(1, 2) n WHERE o.slug = $1)sql",
                  pg::params().text(name));
        owner.run(R"sql(
INSERT INTO recruiting.applications (id, organization_id, external_id, candidate_id, job_id, stage_id, status)
SELECT gen_random_uuid(), c.organization_id, 'application ' || right(c.name, 1), c.id, s.job_id, s.id,
       CASE WHEN c.name = 'Person 1' THEN 'active' ELSE 'hired' END
FROM recruiting.candidates c JOIN recruiting.organizations o ON o.id = c.organization_id
JOIN recruiting.stages s ON s.organization_id = o.id WHERE o.slug = $1)sql",
                  pg::params().text(name));
        owner.run("INSERT INTO recruiting.candidates (id, organization_id, name) SELECT gen_random_uuid(), id, "
                  "'Nobody' FROM recruiting.organizations WHERE slug = $1",
                  pg::params().text(name));
    }

    json::value get(std::string const& path) {
        auto const answer = service.get(path, secret);
        INFO(path << "\n" << answer.body);
        REQUIRE(answer.status == 200);
        return json::parse(answer.body).at("data");
    }
    std::size_t count(std::string const& path) { return get(path).as_array().size(); }
    std::string id_of(std::string const& path) { return std::string(get(path).at(0).at("id").as_string()); }
    void change(std::string const& set) {
        database.owner().run("UPDATE recruiting.jobs SET " + set +
                                 " WHERE organization_id = (SELECT id FROM "
                                 "recruiting.organizations WHERE slug = $1)",
                             pg::params().text(slug));
    }

    test_database database;
    std::string slug = new_slug();
    std::string other_slug = new_slug();
    auth_api_harness service{database.auth_url()};
    std::string secret;
    void sign_in() { secret = make_key(database.owner(), slug, "admin@" + slug + ".example", {"*"}).secret; }
};

} // namespace

TEST_CASE("externalId on every imported record, as field and filter", "[auth_api][lists]") {
    lists_fixture f;
    f.sign_in();
    auto const job = f.id_of("/jobs?externalId=job%2C+1"); // the whole value: it may hold a comma
    auto const candidate = f.id_of("/candidates?externalId=candidate+2");
    CHECK(f.get("/jobs/" + job).at("externalId") == "job, 1");
    CHECK(f.get("/jobs").at(0).at("externalId") == "job, 1");
    auto const record = f.get("/candidates/" + candidate);
    CHECK(record.at("externalId") == "candidate 2");
    CHECK(record.at("applications").at(0).at("externalId") == "application 2");
    for (auto const* path : {"/candidates", "/jobs/"}) {
        auto const list = path == std::string("/jobs/") ? path + job + "/candidates" : path;
        CHECK(f.id_of(list + "?externalId=candidate+2") == candidate);
        CHECK(f.id_of(list + "?applicationExternalId=application+2") == candidate);
        CHECK(f.count(list + "?externalId=candidate+2") == 1);
        CHECK(f.count(list + "?externalId=candidate+1,candidate+2") == 0);
        CHECK(f.count(list + "?externalId=candidate+1&applicationExternalId=application+2") == 0);
    }
    auto const in_job = f.get("/jobs/" + job + "/candidates?externalId=candidate+1").at(0);
    CHECK(in_job.at("externalId") == "candidate 1");
    CHECK(in_job.at("application").at("externalId") == "application 1");
    CHECK(f.get("/candidates?q=nobody").at(0).at("externalId").is_null());
}

TEST_CASE("an external id never finds another organization's record", "[auth_api][lists]") {
    lists_fixture f;
    f.sign_in();
    f.database.owner().run("UPDATE recruiting.candidates SET external_id = 'theirs' WHERE name = 'Person 1' AND "
                           "organization_id = (SELECT id FROM recruiting.organizations WHERE slug = $1)",
                           pg::params().text(f.other_slug));
    f.database.owner().run("UPDATE recruiting.applications SET external_id = 'theirs' WHERE external_id = "
                           "'application 1' AND organization_id = (SELECT id FROM recruiting.organizations WHERE "
                           "slug = $1)",
                           pg::params().text(f.other_slug));
    CHECK(f.count("/candidates?externalId=theirs") == 0);
    CHECK(f.count("/candidates?applicationExternalId=theirs") == 0);
    auto const theirs = to_string(f.database.owner()
                                      .run("SELECT id FROM recruiting.jobs WHERE organization_id = (SELECT id FROM "
                                           "recruiting.organizations WHERE slug = $1)",
                                           pg::params().text(f.other_slug))
                                      .id(0, 0));
    CHECK(f.count("/candidates?jobId=" + theirs) == 0);
    CHECK(f.count("/candidates?jobId=" + theirs + "," + f.id_of("/jobs")) == 2);
}

TEST_CASE("several values in status and its like: any of them matches", "[auth_api][lists]") {
    lists_fixture f;
    f.sign_in();
    auto const job = f.id_of("/jobs");
    auto const stage = std::string(f.get("/jobs/" + job).at("stages").at(0).at("id").as_string());
    std::string const nobody(32, '0');
    CHECK(f.count("/jobs?status=draft,open") == 1);
    CHECK(f.count("/jobs?status=open,closed") == 0);
    CHECK(f.count("/candidates?status=active,rejected") == 1);
    CHECK(f.count("/candidates?status=active,hired") == 2);
    CHECK(f.count("/candidates?jobId=" + nobody + "," + job) == 2);
    CHECK(f.count("/candidates?stageId=" + stage + "," + nobody + "&status=hired,withdrawn") == 1);
    CHECK(f.count("/jobs/" + job + "/candidates?status=active,hired&stageId=" + nobody + "," + stage) == 2);
    CHECK(f.count("/members?role=admin,viewer&status=active,invited") == 1);
    CHECK(f.count("/members?role=recruiter,viewer") == 0);
    CHECK(f.count("/audit?statusCode=200,404&endpoint=/api/v1/me,/api/v1/members") == 2);
    CHECK(f.count("/audit?action=key.created,member.added") >= 1);
    CHECK(f.count("/agent/sessions?status=failed,completed&memberId=" + nobody + "," + stage) == 0);
    auto const refused = f.service.get("/jobs?status=open,opne", f.secret);
    CHECK(refused.status == 400);
    CHECK(refused.body.find(R"(\"opne\" is not one of draft, open)") != std::string::npos);
    auto const repeated = f.service.get("/jobs?status=open&status=draft", f.secret);
    CHECK(repeated.status == 400);
    CHECK(repeated.body.find("separate them with commas") != std::string::npos);
}

TEST_CASE("jobId, stageId and status ask for one application that fulfils them all", "[auth_api][lists]") {
    lists_fixture f;
    f.sign_in();
    f.database.owner().run(R"sql(
WITH j AS (INSERT INTO recruiting.jobs (id, organization_id, external_id, title)
           SELECT gen_random_uuid(), o.id, 'second', 'Second' FROM recruiting.organizations o WHERE o.slug = $1
           RETURNING id, organization_id),
     s AS (INSERT INTO recruiting.stages (id, organization_id, job_id, name, kind, position)
           SELECT gen_random_uuid(), organization_id, id, 'Applied', 'applied', 0 FROM j RETURNING *)
INSERT INTO recruiting.applications (id, organization_id, candidate_id, job_id, stage_id, status)
SELECT gen_random_uuid(), s.organization_id, c.id, s.job_id, s.id, 'rejected'
FROM s JOIN recruiting.candidates c ON c.organization_id = s.organization_id AND c.name = 'Person 1')sql",
                           pg::params().text(f.slug));
    auto const first = f.id_of("/jobs?externalId=job%2C+1");
    auto const second = f.id_of("/jobs?externalId=second");
    CHECK(f.count("/candidates?jobId=" + first + "&status=rejected") == 0); // Person 1 was rejected on the other
    CHECK(f.count("/candidates?jobId=" + second + "&status=rejected") == 1);
    CHECK(f.count("/candidates?jobId=" + first + "," + second + "&status=rejected") == 1);
}

TEST_CASE("stages and descriptions of jobs by include, also in a sync", "[auth_api][lists]") {
    lists_fixture f;
    f.sign_in();
    f.change("description_html = '<p>Work</p>', description_text = 'Work'");
    auto const whole = f.get("/jobs/" + f.id_of("/jobs"));
    auto const synced = [&](std::string const& include) {
        sync_copy copy(f.service, f.secret, "/jobs?include=" + include, 10);
        return copy.catch_up(f.database.owner()).at(0);
    };
    CHECK(f.get("/jobs?include=stages,description").at(0) == whole);
    CHECK(synced("stages,description") == whole);
    auto const stages = synced("stages");
    CHECK(stages.at("stages") == whole.at("stages"));
    CHECK_FALSE(stages.contains("descriptionHtml"));
    auto const description = f.get("/jobs?include=description").at(0).as_object();
    CHECK(description.at("descriptionHtml") == "<p>Work</p>");
    CHECK(description.at("descriptionText") == "Work");
    CHECK_FALSE(description.contains("stages"));
    CHECK_FALSE(f.get("/jobs").at(0).as_object().contains("stages"));
    CHECK(f.service.get("/jobs?include=hiringTeam", f.secret).status == 400);
    CHECK(f.service.get("/jobs?include=description&limit=200", f.secret).status == 400);
}

TEST_CASE("records show how an organization looks and where people apply", "[auth_api][lists]") {
    lists_fixture f;
    f.sign_in();
    for (auto const* field : {"accentColor", "shareImageUrl", "applyUrl", "introductionHtml"})
        CHECK(f.get("/organization").at(field).is_null());
    f.database.owner().run("UPDATE recruiting.organizations SET accent_color = '#0b5fff', share_image_url = "
                           "'https://acme.example/share.png', apply_url = 'mailto:jobs@acme.example', "
                           "introduction_html = '<p>Robots</p>' WHERE slug = $1",
                           pg::params().text(f.slug));
    auto const organization = f.get("/organization");
    CHECK(organization.at("accentColor") == "#0b5fff");
    CHECK(organization.at("shareImageUrl") == "https://acme.example/share.png");
    CHECK(organization.at("applyUrl") == "mailto:jobs@acme.example");
    CHECK(organization.at("introductionHtml") == "<p>Robots</p>");
    auto const job = f.id_of("/jobs");
    CHECK(f.get("/jobs/" + job).at("applyUrl").is_null()); // the job's own
    f.change("apply_url = 'https://acme.example/apply'");
    CHECK(f.get("/jobs/" + job).at("applyUrl") == "https://acme.example/apply");
    CHECK(f.get("/jobs?include=stages,description").at(0).at("applyUrl") == "https://acme.example/apply");
}

TEST_CASE("publicUrl is the same in both APIs, published or not", "[auth_api][public_api][lists]") {
    lists_fixture f;
    f.sign_in();
    auto const job = f.id_of("/jobs");
    public_api_harness const pages(f.database.public_url());
    auto const in_public = [&]() -> json::value { // null: there is no such job
        http_client client(pages.port());
        auto const answer = client.get("/api/public/v1/jobs/" + job);
        if (answer.status == 404) return nullptr;
        return json::parse(answer.body).at("data").at("publicUrl");
    };
    auto const is_the_same = [&](json::value const& wanted) {
        CHECK(f.get("/jobs/" + job).at("publicUrl") == wanted);
        CHECK(f.get("/jobs").at(0).at("publicUrl") == wanted);
        CHECK(eventually([&] { return in_public() == wanted; }));
    };
    auto const careers = [&](std::string const& url) {
        f.database.owner().run("UPDATE recruiting.organizations SET careers_page_url = $2 WHERE slug = $1",
                               pg::params().text(f.slug).text(url));
    };
    is_the_same(nullptr);
    f.change("published = true");
    is_the_same(nullptr); // still a draft
    f.change("status = 'open'");
    is_the_same(json::value("https://" + f.slug + ".example/careers/jobs/" + job));
    careers("https://acme.example/careers//");
    is_the_same(json::value("https://acme.example/careers/jobs/" + job));
    careers("/");
    is_the_same(json::value("http://127.0.0.1:8080/careers/" + f.slug + "/jobs/" + job));
    f.change("published = false");
    is_the_same(nullptr);
    f.change("published = true, status = 'closed'");
    is_the_same(nullptr);
}

} // namespace lists_test
