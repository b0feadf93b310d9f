// Feeds and pages as clients get them: many jobs, fields that keep browsers strict, and what is not found.
#include "integration/public_api/harness.hpp"
#include "integration/public_api/organization.hpp"
#include "integration/support/http_client.hpp"
#include "integration/support/http_server_harness.hpp"
#include "support/catch.hpp"
#include "support/database.hpp"

#include <boost/json.hpp>

namespace feeds_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

struct published_world {
    published_world() {
        own.change("name = 'Own & Co', logo_url = 'https://cdn.example/l.png'");
        job = own.add_job("Engineer <script>");
        own.change_job(job, "description_html = '<p>Hi</p><script>x</script>', location_city = 'Berlin'");
        REQUIRE(eventually([&] { return client.get("/careers/" + own.slug() + "/jobs/" + job).status == 200; }));
        REQUIRE(eventually([&] { return get("/jobs.rss").body.find("Berlin") != std::string::npos; }));
    }
    http_answer get(std::string const& feed) { return client.get("/api/public/v1/organizations/" + own.slug() + feed); }

    test_database database;
    own_organization own{database.owner()};
    public_api_harness harness{database.public_url()};
    http_client client{harness.port()};
    std::string job;
};

} // namespace

TEST_CASE("ten thousand jobs are one well-ended file, and pages of feeds", "[public_api][feeds]") {
    published_world world;
    world.own.add_jobs(3000);
    REQUIRE(eventually([&] { return world.get("/jobs.xml").body.size() > 500'000; }));
    auto const all = world.get("/jobs.xml");
    CHECK(all.header("transfer-encoding") == "chunked");
    CHECK(all.body.ends_with("</source>\n"));
    auto const first = boost::json::parse(world.get("/jobs.json").body).as_object();
    CHECK(first.at("items").as_array().size() == 100);
    CHECK(std::string(first.at("next_url").as_string()).ends_with("/jobs.json?page=2"));
    auto const last = boost::json::parse(world.get("/jobs.json?page=31").body).as_object();
    CHECK(last.at("items").as_array().size() == 1);
    CHECK_FALSE(last.contains("next_url"));
    CHECK(world.client.get("/careers/" + world.own.slug() + "?page=121").status == 200);
}

TEST_CASE("postings, pages and the job board's file follow amounts and the organization's country",
          "[public_api][feeds]") {
    published_world world;
    auto const shows = [&](std::string const& path, std::string const& text) {
        return eventually([&] { return world.client.get(path).body.find(text) != std::string::npos; });
    };
    auto const posting = "/api/public/v1/jobs/" + world.job + "/jsonld";
    auto const etag = world.get("/jobs.xml").header("etag");
    world.own.change("country_code = 'DE'");
    CHECK(shows(posting, R"("addressLocality":"Berlin","addressCountry":"DE")"));
    CHECK(world.get("/jobs.xml").body.find("<country><![CDATA[DE]]></country>") != std::string::npos);
    CHECK(world.get("/jobs.xml").header("etag") != etag);
    world.own.change_job(world.job, "salary_min = 20.750, salary_max = 22.50, salary_currency = 'USD', salary_period = "
                                    "'hour', salary_published = true, location_name = 'Berlin; Vienna, Austria'");
    CHECK(shows(posting, R"("minValue":20.75,"maxValue":22.5,)"));
    auto const job = world.client.get("/api/public/v1/jobs/" + world.job).body;
    CHECK(job.find(R"("salary":{"min":20.75,"max":22.5,"currency":"USD","period":"hour"})") != std::string::npos);
    CHECK(world.client.get(posting).body.find(R"("jobLocation":[{)") != std::string::npos);
    CHECK(world.get("/jobs.xml").body.find("USD 20.75 - 22.5 per hour") != std::string::npos);
    auto const page = world.client.get("/careers/" + world.own.slug() + "/jobs/" + world.job).body;
    CHECK(page.find("$20.75 – $22.50 an hour") != std::string::npos);
    CHECK(page.find("Berlin; Vienna, Austria") != std::string::npos);
    for (auto const* place : {"berlin", "Vienna"})
        CHECK(world.get("/jobs?location=" + std::string(place)).body.find(world.job) != std::string::npos);
}

TEST_CASE("pages are strict, and errors on their way are pages for people", "[public_api][pages]") {
    published_world world;
    auto const page = world.client.get("/careers/" + world.own.slug());
    CHECK(page.status == 200);
    CHECK(page.header("content-type") == "text/html; charset=utf-8");
    CHECK(page.header("content-security-policy").starts_with("default-src 'none'"));
    CHECK(page.header("x-content-type-options") == "nosniff");
    CHECK(page.body.find("Engineer &lt;script&gt;") != std::string::npos);
    auto const style = page.body.find("/careers/style.css?v=");
    auto const address = page.body.substr(style, page.body.find('"', style) - style);
    CHECK(world.client.get(address).header("cache-control") == "public, max-age=31536000, immutable");

    std::string const unknown = "/careers/nobody-here";
    auto const missing = world.client.get(unknown, "Accept: text/html\r\nAccept-Language: fr\r\n");
    CHECK(missing.status == 404);
    CHECK(missing.header("content-type") == "text/html; charset=utf-8");
    CHECK(missing.body.find("Cette page n’existe pas") != std::string::npos);
    CHECK(missing.header("cache-control") == "no-store");
    CHECK(world.client.get(unknown).header("content-type") == "application/json");
    CHECK(world.client.get(unknown + "/x/y", "Accept: text/html\r\n").header("content-type") ==
          "text/html; charset=utf-8");
}

} // namespace feeds_test
