// Accept-Encoding: gzip on /api/v1 for bodies above 1 KiB, streamed for exports.
#include "auth_api/settings.hpp"
#include "integration/auth_api/harness.hpp"
#include "support/catch.hpp"
#include "support/database.hpp"
#include "support/directory.hpp"
#include "support/gunzip.hpp"

namespace compression_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

struct compression_fixture {
    explicit compression_fixture(std::int64_t level = 1)
        : service(database.auth_url(), false, [level](auth_api::settings& config) { config.gzip_level = level; }) {
        database.owner().run("INSERT INTO recruiting.jobs (id, organization_id, title) SELECT gen_random_uuid(), $1, "
                             "'Job ' || n FROM generate_series(1, 50) n",
                             pg::params().id(organization.id));
    }

    test_database database;
    std::string slug = new_slug();
    directory::organization organization = make_organization(database.owner(), slug);
    std::string secret = make_key(database.owner(), slug, "admin@" + slug + ".example", {"*"}).secret;
    auth_api_harness service;
};

constexpr auto asks = "Accept-Encoding: gzip, deflate, br\r\n";

} // namespace

TEST_CASE("a body above 1 KiB is gzip for those who ask, for all others it is as ever", "[auth_api][compression]") {
    compression_fixture const f;
    auto const plain = f.service.get("/jobs", f.secret);
    REQUIRE(plain.header("content-encoding").empty());
    REQUIRE(plain.header("vary") == "Accept-Encoding");
    auto const packed = f.service.get("/jobs", f.secret, asks);
    REQUIRE(packed.header("content-encoding") == "gzip");
    REQUIRE(packed.header("vary") == "Accept-Encoding");
    REQUIRE(packed.header("content-length") == std::to_string(packed.body.size()));
    REQUIRE(packed.body.size() * 4 < plain.body.size());
    auto const read = gunzip(packed.body);
    REQUIRE(read.whole);
    REQUIRE(read.text == plain.body);
    REQUIRE(f.service.get("/jobs", f.secret, "Accept-Encoding: gzip;q=0, *\r\n").body == plain.body);
    auto const small = f.service.get("/jobs?limit=1", f.secret, asks);
    REQUIRE(small.body.starts_with(R"({"data":)"));
    REQUIRE(small.header("vary").empty());
    REQUIRE(f.service.get("/openapi.json", "", asks).header("content-encoding") == "gzip");
    REQUIRE(gunzip(f.service.get("/openapi.json", "", asks).body).text == f.service.get("/openapi.json", "").body);
}

TEST_CASE("a body of megabytes arrives whole", "[auth_api][compression]") {
    compression_fixture f;
    f.database.owner().run("UPDATE recruiting.jobs SET description_text = (SELECT string_agg(md5(title || i), '') FROM "
                           "generate_series(1, 2000) i)");
    auto const plain = f.service.get("/jobs?include=description", f.secret);
    REQUIRE(plain.body.size() > 3'000'000);
    auto const packed = f.service.get("/jobs?include=description", f.secret, asks);
    REQUIRE(packed.header("transfer-encoding") == "chunked");
    auto const read = gunzip(packed.body);
    REQUIRE(read.whole);
    REQUIRE((read.text == plain.body));
}

TEST_CASE("HEAD of a compressed answer has the fields of GET", "[auth_api][compression]") {
    compression_fixture const f;
    auto const packed = f.service.get("/jobs", f.secret, asks);
    auto const head = f.service.get("/jobs", f.secret, asks, "HEAD");
    for (auto const* name : {"content-encoding", "content-length", "vary", "content-type"})
        CHECK(head.header(name) == packed.header(name));
    CHECK(head.body.empty());
}

TEST_CASE("exports are compressed while they are streamed, and lose nothing", "[auth_api][compression]") {
    compression_fixture f;
    f.database.owner().run(
        "INSERT INTO recruiting.audit_log (id, occurred_at, organization_id, actor_type, action, success, path) "
        "SELECT gen_random_uuid(), now() - make_interval(secs => i), $1::uuid, 'system', 'import.finished', true, "
        "md5(i::text) FROM generate_series(1, 2500) i",
        pg::params{}.id(f.organization.id));
    for (auto const* type : {"Accept: application/x-ndjson\r\n", "Accept: text/csv\r\n"}) {
        auto const plain = f.service.get("/audit?action=import.finished", f.secret, type);
        REQUIRE(plain.header("vary") == "Accept-Encoding");
        auto const packed = f.service.get("/audit?action=import.finished", f.secret, std::string(type) + asks);
        REQUIRE(packed.header("content-encoding") == "gzip");
        REQUIRE(packed.header("transfer-encoding") == "chunked");
        REQUIRE(packed.header("content-length").empty());
        REQUIRE(packed.body.size() * 2 < plain.body.size());
        auto const read = gunzip(packed.body);
        REQUIRE(read.whole);
        REQUIRE((read.text == plain.body));
        REQUIRE(f.service.get("/audit?action=member.joined", f.secret, std::string(type) + asks).status == 200);
    }
}

TEST_CASE("level 0 compresses nothing", "[auth_api][compression]") {
    compression_fixture const f(0);
    for (auto const* path : {"/jobs", "/openapi.json"}) {
        auto const answer = f.service.get(path, f.secret, asks);
        CHECK(answer.header("content-encoding").empty());
        CHECK(answer.header("vary").empty());
        CHECK(answer.body.starts_with("{"));
    }
}

} // namespace compression_test
