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

// An organization with jobs of every kind, made once for all cases of this file; nothing in it is changed by them.
class published_organization {
public:
    published_organization() : id_(to_string(new_record_id())), slug_("org-" + id_.substr(20)) {
        auto& db = shared_database().owner();
        db.run("INSERT INTO recruiting.organizations (id, slug, name, website_url, time_zone, careers_page_url) "
               "VALUES ($1, $2, 'Acme', 'https://acme.example', 'Europe/Berlin', 'https://acme.example/careers/')",
               pg::params().text(id_).text(slug_));
        full_ = add("title = 'Backend Engineer, C++', department = 'Engineering', location_city = 'Zürich', "
                    "location_country_code = 'CH', workplace_type = 'hybrid', employment_type = 'full_time', "
                    "salary_min = 100, salary_currency = 'CHF', salary_period = 'year', salary_published = true, "
                    "requisition_id = 'REQ-1', description_html = '<p>x</p>', description_text = 'x'");
        bare_ = add("title = 'Clerk', salary_min = 100, salary_currency = 'CHF', salary_period = 'year'");
        for (int i = 0; i < 5; ++i) same_time_.push_back(add("title = 'Café Manager', published_at = '2026-01-01'"));
        hidden_ = {add("published = false"),  add("status = 'closed'"), add("status = 'draft'"),
                   add("deleted_at = now()"), add("closes_at = now()"), to_string(new_record_id())};
        stage("Phone screen", 1, "true, 30");
        stage("Interview", 0, "true, 60");
        stage("Offer", 2, "false, NULL");
    }
    std::string const& slug() const { return slug_; }
    std::string const& full() const { return full_; }
    std::string const& bare() const { return bare_; }
    std::vector<std::string> const& hidden() const { return hidden_; }
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
    std::string id_, slug_, full_, bare_;
    std::vector<std::string> same_time_, hidden_;
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
    std::vector<std::string> titles(std::string const& query) {
        std::vector<std::string> out;
        auto const answer = get(acme().jobs() + query);
        INFO(query << " " << answer.body);
        REQUIRE(answer.status == 200);
        auto const parsed = json::parse(answer.body);
        for (auto const& job : parsed.at("data").as_array()) out.emplace_back(job.at("title").as_string());
        return out;
    }
};

std::string without_request_id(http_answer const& answer) {
    auto body = answer.body;
    auto const id = answer.header("x-request-id");
    REQUIRE(is_request_id(id));
    auto const at = body.find(id);
    REQUIRE(at != std::string::npos);
    return body.erase(at, id.size());
}

std::string text(json::value const& value) { return std::string(std::string_view(value.as_string())); }

using list = std::vector<std::string>;

} // namespace

TEST_CASE("the organization as it shows itself", "[public_api]") {
    api api;
    auto const answer = api.get("/organizations/" + acme().slug());
    REQUIRE(answer.status == 200);
    REQUIRE(answer.header("content-type") == "application/json");
    REQUIRE(answer.body ==
            R"({"data":{"name":"Acme","slug":")" + acme().slug() +
                R"(","websiteUrl":"https://acme.example","logoUrl":null,"accentColor":null,"shareImageUrl":null,)" +
                R"("timeZone":"Europe/Berlin","openJobCount":7}})");
}

TEST_CASE("an organization that has published nothing is 404, like an unknown one", "[public_api]") {
    auto& db = shared_database().owner();
    own_organization bare(db), draft(db), withdrawn(db), closed(db);
    draft.change_job(draft.add_job("Draft"), "status = 'draft'");
    withdrawn.change_job(withdrawn.add_job("Withdrawn"), "published = false");
    withdrawn.change_job(withdrawn.add_job("Deleted"), "deleted_at = now()");
    closed.change_job(closed.add_job("Closed"), "status = 'closed'");
    api api;
    auto const seen = [&](std::string const& path) {
        auto const answer = api.get(path, "X-Request-Id: the-same-id\r\nAccept: application/json, text/html\r\n");
        return std::to_string(answer.status) + answer.header("content-type") + answer.header("cache-control") +
               answer.header("content-length") + answer.body;
    };
    for (std::string const path :
         {"/organizations/?", "/organizations/?/jobs", "/jobs?organization=?", "/organizations/?/jobs.rss",
          "/organizations/?/jobs.json", "/organizations/?/jobs.xml", "/organizations/?/sitemap.xml"}) {
        INFO(path);
        auto const place = path.rfind('?');
        auto const of = [&](std::string const& slug) { return path.substr(0, place) + slug + path.substr(place + 1); };
        auto const unknown = seen(of("nobody-of-this-name"));
        REQUIRE(unknown.starts_with("404"));
        for (auto const* one : {&bare, &draft, &withdrawn}) REQUIRE(seen(of(one->slug())) == unknown);
        REQUIRE(api.get(of(closed.slug())).status == 200);
    }
    auto const page = "HTTP " + std::to_string(http_client(api.harness.port()).get("/careers/" + bare.slug()).status);
    REQUIRE(page == "HTTP 404");
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
    REQUIRE(json::serialize(job.at("salary")) == R"({"min":100,"max":null,"currency":"CHF","period":"year"})");
    REQUIRE(text(job.at("publicUrl")) == "https://acme.example/careers/jobs/" + acme().full());
    auto const& stages = job.at("bookableStages").as_array();
    REQUIRE(stages.size() == 2);
    REQUIRE(text(stages[0].at("name")) == "Interview");
    REQUIRE(stages[0].at("durationMinutes").as_int64() == 60);
    REQUIRE(parse_id(text(stages[0].at("stageId"))));
    REQUIRE(stages[0].as_object().size() == 3);
}

TEST_CASE("missing values are null, an unpublished salary too", "[public_api]") {
    api api;
    auto const job = api.data("/jobs/" + acme().bare());
    for (auto const* name : {"department", "location", "workplaceType", "employmentType", "salary", "closesAt"})
        REQUIRE(job.at(name).is_null());
    REQUIRE(job.at("bookableStages").as_array().empty());
    REQUIRE(text(job.at("descriptionHtml")).empty());
}

TEST_CASE("unpublished, closed, deleted, past its end, unknown, malformed: one answer", "[public_api]") {
    api api;
    std::set<std::string> bodies;
    for (auto const& id : acme().hidden()) bodies.insert(without_request_id(api.get("/jobs/" + id)));
    for (std::string const id :
         {"x", "0", "%00", "%FF", "0199C1A1C3D87F02B5A6E4D17C930F58", "0199c1a1-c3d8-7f02-b5a6-e4d17c930f58"})
        bodies.insert(without_request_id(api.get("/jobs/" + id)));
    for (std::string const path :
         {"/organizations/nobody", "/organizations/nobody/jobs", "/organizations/%00/jobs", "/organizations/No",
          "/jobs?organization=nobody", "/jobs?organization=a%20b", "/none"})
        bodies.insert(without_request_id(api.get(path)));
    REQUIRE(bodies.size() == 1);
    REQUIRE(bodies.begin()->find("not_found") != std::string::npos);
}

TEST_CASE("the list: published jobs alone, newest first, each once whatever the page", "[public_api]") {
    api api;
    auto const whole = api.titles("");
    REQUIRE(whole == list{"Clerk", "Backend Engineer, C++", "Café Manager", "Café Manager", "Café Manager",
                          "Café Manager", "Café Manager"});
    for (int const limit : {1, 2, 3, 7}) {
        std::set<std::string> ids;
        std::size_t rows = 0;
        auto next = acme().jobs() + "?limit=" + std::to_string(limit);
        while (!next.empty()) {
            auto const answer = api.get(next);
            auto const page = json::parse(answer.body);
            for (auto const& job : page.at("data").as_array()) ids.emplace(job.at("id").as_string());
            rows += page.at("data").as_array().size();
            auto const link = answer.header("link");
            REQUIRE(page.at("page").at("limit").as_int64() == limit);
            REQUIRE(page.at("page").at("hasMore").as_bool() == !link.empty());
            REQUIRE(page.at("page").at("nextCursor").is_null() == link.empty());
            next = link.empty() ? "" : link.substr(1, link.find('>') - 1);
        }
        REQUIRE(rows == 7);
        REQUIRE(ids.size() == 7);
    }
}

TEST_CASE("both addresses give the same list, a job alone is the record of the list", "[public_api]") {
    api api;
    auto const one = api.get(acme().jobs());
    auto const other = api.get("/jobs?organization=" + acme().slug());
    REQUIRE(one.body == other.body);
    auto const jobs = json::parse(one.body).at("data").as_array();
    for (auto const& job : jobs)
        REQUIRE(json::serialize(api.data("/jobs/" + text(job.at("id")))) == json::serialize(job));
    auto const next = api.get("/jobs?organization=" + acme().slug() + "&limit=1").header("link");
    REQUIRE(next.starts_with("</api/public/v1/jobs?organization=" + acme().slug() + "&limit=1&cursor="));
}

TEST_CASE("every filter narrows", "[public_api]") {
    api api;
    list const engineer = {"Backend Engineer, C++"};
    REQUIRE(api.titles("?department=Engineering") == engineer);
    REQUIRE(api.titles("?department=engineering").empty());
    REQUIRE(api.titles("?location=z%C3%BCRICH") == engineer);
    REQUIRE(api.titles("?location=zur") == engineer);
    REQUIRE(api.titles("?location=Berne").empty());
    REQUIRE(api.titles("?workplaceType=hybrid&employmentType=full_time") == engineer);
    REQUIRE(api.titles("?workplaceType=remote").empty());
    REQUIRE(api.titles("?q=ENGINEER+back") == engineer);
    REQUIRE(api.titles("?q=c%2B%2B") == engineer);
    REQUIRE(api.titles("?q=cafe+manager").size() == 5);
    REQUIRE(api.titles("?q=cafe+engineer").empty());
    REQUIRE(api.titles("?q=%25").empty()); // no pattern
    REQUIRE(api.titles("?utm_source=x&utm_source=y").size() == 7);
}

TEST_CASE("a bad limit, filter or cursor is 400 and named", "[public_api]") {
    api api;
    auto const answer = api.get(acme().jobs() + "?limit=101&workplaceType=x&cursor=x");
    REQUIRE(answer.status == 400);
    std::set<std::string> fields;
    auto const parsed = json::parse(answer.body).at("error");
    for (auto const& detail : parsed.at("details").as_array()) fields.emplace(detail.at("field").as_string());
    REQUIRE(fields == std::set<std::string>{"limit", "workplaceType", "cursor"});
    auto const cursor = text(json::parse(api.get(acme().jobs() + "?limit=1").body).at("page").at("nextCursor"));
    REQUIRE(api.get(acme().jobs() + "?cursor=" + cursor).status == 200);
    REQUIRE(api.get(acme().jobs() + "?q=a&cursor=" + cursor).status == 400);
    REQUIRE(api.get("/jobs").status == 400);
}

TEST_CASE("conditional requests, HEAD and caching", "[public_api]") {
    api api;
    auto const path = "/jobs/" + acme().full();
    auto const first = api.get(path);
    auto const tag = first.header("etag");
    REQUIRE(first.header("cache-control") == "public, max-age=60, stale-while-revalidate=300");
    auto const again = api.get(path, "If-None-Match: \"other\", W/" + tag + "\r\n");
    REQUIRE(again.status == 304);
    REQUIRE(again.header("etag") == tag);
    REQUIRE(again.header("access-control-allow-origin") == "*");
    auto const head = api.get(path, {}, "HEAD");
    REQUIRE(head.status == 200);
    REQUIRE(head.header("etag") == tag);
    REQUIRE(head.header("content-length") == std::to_string(first.body.size()));
    REQUIRE(api.get(path, "If-None-Match: " + tag + "\r\n", "HEAD").status == 304);
    REQUIRE(api.get("/jobs/x", "If-None-Match: *\r\n").status == 404);
}

TEST_CASE("CORS on every answer, preflight on any path", "[public_api]") {
    api api;
    auto const check = [](http_answer const& answer, unsigned status) {
        REQUIRE(answer.status == status);
        REQUIRE(answer.header("access-control-allow-origin") == "*");
        REQUIRE(answer.header("access-control-expose-headers") ==
                "Retry-After, RateLimit, RateLimit-Policy, X-Request-Id, ETag, Link");
        REQUIRE_FALSE(answer.headers.contains("access-control-allow-credentials"));
        REQUIRE(is_request_id(answer.header("x-request-id")));
    };
    check(api.get("/openapi.json"), 200);
    check(api.get("/jobs/x"), 404);
    check(api.get("/jobs"), 400);
    check(api.get("/jobs/x", {}, "DELETE"), 405);
    for (std::string const path : {"/jobs/x", "/none", "/"}) {
        auto const answer = api.get(path, "Access-Control-Request-Method: GET\r\n", "OPTIONS");
        check(answer, 204);
        REQUIRE(answer.header("access-control-allow-methods") == "GET, HEAD, POST, OPTIONS");
        REQUIRE(answer.header("access-control-allow-headers") ==
                "Content-Type, Accept, If-None-Match, X-Request-Id, traceparent");
    }
    api.client.send("nonsense\r\n\r\n");
    check(api.client.receive(), 400);
}

TEST_CASE("405 has Allow, a gateway's request id is kept, problem+json on request", "[public_api]") {
    api api;
    REQUIRE(api.get("/jobs", {}, "PUT").header("allow") == "GET, HEAD, OPTIONS");
    auto const answer = api.get("/jobs/x", "X-Request-Id: gateway-1234\r\nAccept: application/problem+json\r\n");
    REQUIRE(answer.header("x-request-id") == "gateway-1234");
    REQUIRE(answer.header("content-type") == "application/problem+json");
    REQUIRE(text(json::parse(answer.body).at("requestId")) == "gateway-1234");
    REQUIRE(api.get("/jobs/x", "X-Request-Id: bad id!\r\n").header("x-request-id").size() == 32);
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
    auto const key = generate_secret(environment::test).secret;
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
    REQUIRE(api.titles("").size() == 7);
}

} // namespace public_api_test
