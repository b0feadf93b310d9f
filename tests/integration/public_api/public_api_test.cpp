// The public API over HTTP against a real PostgreSQL, as role recruiting_public: records, lists, refusals, outages.
#include "auth/api_key.hpp"
#include "core/ids.hpp"
#include "integration/public_api/harness.hpp"
#include "integration/public_api/organization.hpp"
#include "integration/support/http_client.hpp"
#include "integration/support/http_server_harness.hpp"
#include "recruitctl/commands/migrations.hpp"
#include "support/catch.hpp"
#include "support/database.hpp"

#include <boost/json.hpp>
#include <set>

namespace public_api_test {
using namespace recruiting;
using namespace recruiting::test;
namespace json = boost::json;

namespace {

constexpr std::string_view base = "/api/public/v1";

// An organization with a job, made once for all cases of this file; nothing in it is changed by them.
class published_organization {
public:
    published_organization() : id_(to_string(new_record_id())), slug_("org-" + id_.substr(20)) {
        auto& db = shared_database().owner();
        db.run("INSERT INTO recruiting.organizations (id, slug, name, website_url, time_zone, careers_page_url) "
               "VALUES ($1, $2, 'Acme', 'https://acme.example', 'Europe/Berlin', 'https://acme.example/careers/')",
               pg::params().text(id_).text(slug_));
        full_ = add("title = 'Backend Engineer, C++', department = 'Engineering', location_city = 'Zürich', "
                    "location_country_code = 'CH', workplace_type = 'hybrid', employment_type = 'full_time', "
                    "salary_min = 20.50, salary_currency = 'CHF', salary_period = 'year', salary_published = true, "
                    "requisition_id = 'REQ-1', description_html = '<p>x</p>', description_text = 'x'");
        stage("Phone screen", 1, "true, 30");
        stage("Interview", 0, "true, 60");
        stage("Offer", 2, "false, NULL");
    }
    std::string const& slug() const { return slug_; }
    std::string const& full() const { return full_; }
    std::string jobs() const { return std::string(base) + "/organizations/" + slug_ + "/jobs"; }

private:
    std::string add(std::string const& changes) {
        auto const id = to_string(new_record_id());
        auto& db = shared_database().owner();
        db.run("INSERT INTO recruiting.jobs (id, organization_id, title, status, published, published_at) "
               "VALUES ($1, $2, 'Job', 'open', true, clock_timestamp())",
               pg::params().text(id).text(id_));
        db.run("UPDATE recruiting.jobs SET " + changes + " WHERE id = $1", pg::params().text(id));
        return id;
    }
    void stage(std::string const& name, int position, std::string const& bookable) {
        shared_database().owner().run(
            "INSERT INTO recruiting.stages (id, organization_id, job_id, name, kind, position, bookable, "
            "interview_duration_minutes) "
            "VALUES ($1, $2, $3, $4, 'interview', $5, " +
                bookable + ")",
            pg::params().text(to_string(new_record_id())).text(id_).text(full_).text(name).integer(position));
    }
    std::string id_, slug_, full_;
};

published_organization const& acme() {
    static published_organization const organization;
    return organization;
}

struct api {
    published_organization const& made_before{acme()};
    public_api_harness harness{shared_database().public_url()};
    http_client client{harness.port()};
    http_answer get(std::string const& path, std::string_view lines = {}, std::string_view method = "GET") {
        return client.get(path.starts_with("/api") ? path : std::string(base) + path, lines, method);
    }
    json::object data(std::string const& path) { return json::parse(get(path).body).at("data").as_object(); }
};

std::string text(json::value const& value) { return std::string(std::string_view(value.as_string())); }

} // namespace

TEST_CASE("the organization as it shows itself", "[public_api]") {
    api api;
    auto const answer = api.get("/organizations/" + acme().slug());
    REQUIRE(answer.status == 200);
    REQUIRE(answer.header("content-type") == "application/json");
    REQUIRE(answer.body ==
            R"({"data":{"name":"Acme","slug":")" + acme().slug() +
                R"(","websiteUrl":"https://acme.example","logoUrl":null,"accentColor":null,"shareImageUrl":null,)" +
                R"("introductionHtml":null,"timeZone":"Europe/Berlin","openJobCount":1}})");
}

TEST_CASE("a job has exactly the fields of the design", "[public_api]") {
    api api;
    auto const job = api.data("/jobs/" + acme().full());
    std::set<std::string> names;
    for (auto const& field : job) names.emplace(field.key());
    REQUIRE(names == std::set<std::string>{"id", "title", "organization", "department", "location", "workplaceType",
                                           "employmentType", "salary", "descriptionHtml", "descriptionText",
                                           "publishedAt", "closesAt", "updatedAt", "publicUrl", "applyUrl",
                                           "bookableStages"});
    REQUIRE(json::serialize(job.at("organization")) == R"({"name":"Acme","slug":")" + acme().slug() + "\"}");
    REQUIRE(json::serialize(job.at("location")) == R"({"name":null,"city":"Zürich","region":null,"countryCode":"CH"})");
    REQUIRE(job.at("salary") == json::parse(R"({"min":20.5,"max":null,"currency":"CHF","period":"year"})"));
    REQUIRE(text(job.at("publicUrl")) == "https://acme.example/careers/jobs/" + acme().full());
    auto const& stages = job.at("bookableStages").as_array();
    REQUIRE(stages.size() == 2);
    REQUIRE(text(stages[0].at("name")) == "Interview");
    REQUIRE(stages[0].at("interviewDurationMinutes").as_int64() == 60);
    REQUIRE(parse_id(text(stages[0].at("id"))));
    REQUIRE(stages[0].as_object().size() == 3);
}

TEST_CASE("no body is awaited where none is read", "[public_api]") {
    for (auto const& [line, status] :
         {std::pair{"GET /docs/", 400U}, std::pair{"GET /api/public/v1/jobs/x", 400U},
          std::pair{"OPTIONS /api/public/v1/jobs", 400U}, std::pair{"POST /careers/x", 405U},
          std::pair{"POST /api/public/v1/none", 404U}}) {
        INFO(line);
        api api;
        api.client.send(std::string(line) + " HTTP/1.1\r\nHost: test\r\nContent-Length: 1\r\n\r\n");
        CHECK(api.client.receive().status == status); // after ten seconds it would be 408
        CHECK(api.client.ended());
    }
}

TEST_CASE("an API key is refused wherever it stands, and not repeated", "[public_api]") {
    api api;
    auto const key = generate_secret(environment::test);
    auto const note = "note=sp%5F" + key.substr(3);
    auto const length = std::to_string(note.size());
    api.client.send("POST /api/public/v1/scheduling/a/b/bookings HTTP/1.1\r\nHost: test\r\nContent-Length: " + length +
                    "\r\n\r\n" + note);
    auto const booking = api.client.receive();
    for (auto const& answer :
         {booking, api.get("/openapi.json", "Authorization: Bearer " + key + "\r\n"),
          api.get("/openapi.json", "X-Api-Key: " + key + "\r\n"), api.get("/openapi.json?key=" + key)}) {
        REQUIRE(answer.status == 400);
        REQUIRE(text(json::parse(answer.body).at("error").at("code")) == "credential_not_allowed");
        REQUIRE(answer.body.find(key) == std::string::npos);
    }
    REQUIRE(api.harness.metrics().find("recruiting_public_api_exposed_keys_total 4") != std::string::npos);
}

TEST_CASE("requests are counted by route and status", "[public_api]") {
    api api;
    static_cast<void>(api.get("/jobs/x"));
    static_cast<void>(api.get("/none"));
    auto const text = api.harness.metrics();
    REQUIRE(text.find(R"(recruiting_public_api_requests_total{route="/api/public/v1/jobs/{jobId}",status="404"} 1)") !=
            std::string::npos);
    REQUIRE(text.find(R"(recruiting_public_api_requests_total{route="none",status="404"} 1)") != std::string::npos);
    REQUIRE(text.find(R"(recruiting_postgres_connections{pool="requests"} 1)") != std::string::npos);
}

TEST_CASE("without its database the API answers 503 and recovers by itself", "[public_api]") {
    test_database database;
    pg::client superuser(shared_database().superuser_url());
    superuser.script("ALTER DATABASE " + database.name() + " ALLOW_CONNECTIONS false");
    public_api_harness harness(database.public_url(), false);
    http_client client(harness.port());
    auto const target = std::string(base) + "/organizations/nobody";
    auto const away = client.get(target);
    REQUIRE(away.status == 503);
    REQUIRE(away.header("retry-after") == "1");
    REQUIRE(away.header("access-control-allow-origin") == "*");
    REQUIRE(text(json::parse(away.body).at("error").at("code")) == "service_unavailable");
    REQUIRE(client.get(std::string(base) + "/openapi.json").status == 200); // needs no database

    superuser.script("ALTER DATABASE " + database.name() + " ALLOW_CONNECTIONS true");
    REQUIRE(eventually([&] { return client.get(target).status == 404; }));

    for (int round = 0; round < 3; ++round) { // backends that die are replaced
        superuser.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND usename = "
                      "'recruiting_public'",
                      pg::params().text(database.name()));
        REQUIRE(eventually([&] { return client.get(target).status == 404; }));
    }
}

TEST_CASE("a database that is not migrated yet is 503, then served", "[public_api]") {
    test_database database(migrated::no);
    public_api_harness harness(database.public_url(), false);
    http_client client(harness.port());
    auto const target = std::string(base) + "/organizations/nobody";
    http_client admin(harness.admin_port());
    REQUIRE(eventually([&] { return admin.get("/readyz").body.find("recruitctl migrate") != std::string::npos; }));
    REQUIRE(client.get(target).status == 503);
    recruitctl::apply_migrations(database.owner(), recruitctl::read_migrations(migrations_directory()));
    REQUIRE(eventually([&] { return client.get(target).status == 404; }));
}

TEST_CASE("a database that does not answer keeps nobody waiting", "[public_api]") {
    api api;
    pg::client blocker(shared_database().superuser_url());
    pg::transaction open(blocker);
    blocker.script("LOCK TABLE recruiting.organizations IN ACCESS EXCLUSIVE MODE");
    REQUIRE(api.get("/organizations/" + acme().slug()).status == 200);
    REQUIRE(json::parse(api.get(acme().jobs()).body).at("data").as_array().size() == 1);
}

} // namespace public_api_test
