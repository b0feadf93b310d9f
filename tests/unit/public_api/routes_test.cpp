// The route table of the public API: what matches, 404, 405 with Allow, and that each row is documented.
#include "http/loggable_path.hpp"
#include "public_api/docs/document_site.hpp"
#include "public_api/routes.hpp"
#include "support/catch.hpp"
#include "unit/public_api/published_sample.hpp"

#include <string>

namespace routes_test {
using namespace recruiting;
using namespace recruiting::public_api;

namespace {

std::string path_of(std::string_view method, std::string_view path) {
    auto const found = find_route(method, path);
    return found.known == nullptr ? std::string() : std::string(found.known->path);
}

} // namespace

TEST_CASE("paths find their route and parameters", "[public_api]") {
    auto const organization = find_route("GET", "/api/public/v1/organizations/acme");
    REQUIRE(organization.found != nullptr);
    REQUIRE(organization.params[0] == "acme");
    REQUIRE(organization.allow.empty());
    REQUIRE(path_of("GET", "/api/public/v1/organizations/acme/jobs") == "/api/public/v1/organizations/{slug}/jobs");
    REQUIRE(path_of("GET", "/api/public/v1/jobs") == "/api/public/v1/jobs");
    REQUIRE(path_of("HEAD", "/api/public/v1/jobs/x") == "/api/public/v1/jobs/{jobId}");
    REQUIRE(find_route("HEAD", "/api/public/v1/jobs/x").allow.empty());
}

TEST_CASE("unknown paths match nothing", "[public_api]") {
    for (std::string_view const path :
         {"", "/", "/api/public/v1", "/api/public/v1/", "/api/public/v1/jobs/", "/api/public/v1//jobs",
          "/api/public/v2/jobs", "/api/public/v1jobs", "/api/v1/jobs", "/api/public/v1/jobs/x/y",
          "/api/public/v1/jobs%2Fx", "/api/public/v1/JOBS", "/api/public/v1/jobs/%zz", "*"})
        REQUIRE(find_route("GET", path).known == nullptr);
}

TEST_CASE("a known path with another method tells what it has", "[public_api]") {
    for (std::string_view const method : {"POST", "PUT", "DELETE", "PATCH", "get", "TRACE"})
        REQUIRE(find_route(method, "/api/public/v1/jobs/x").allow == "GET, HEAD, OPTIONS");
    REQUIRE(find_route("DELETE", "/api/public/v1/nothing").allow.empty());
}

TEST_CASE("a page asked for by another form of its address is at its own", "[public_api]") {
    auto const published = test::sample_catalogue();
    auto const moved = [&](std::string path, std::string query = {}, std::string method = "GET") {
        http::request req;
        req.method = std::move(method);
        req.path = path;
        req.query = query;
        return moved_page(req, published, test::sample_now).value_or("");
    };
    std::string const id(31, '0');
    std::string const job = "/careers/acme/jobs/" + id + "1";
    for (std::string const path :
         {"/careers/acme/", "/careers/Acme", "/careers/ACME/", "/careers/%41cme", "/careers/acme//"})
        CHECK(moved(path) == "/careers/acme");
    CHECK(moved("/careers/Acme", "q=a%2Fb&page=2") == "/careers/acme?q=a%2Fb&page=2");
    CHECK(moved("/careers/Acme", {}, "HEAD") == "/careers/acme");
    for (std::string const& path : {job + "/", "/careers/ACME/jobs/" + id + "1",
                                    std::string("/careers/acme/jobs/00000000-0000-0000-0000-000000000001")})
        CHECK(moved(path) == job);
    std::string const token(43, 'A');
    CHECK(moved("/interviews/" + token + "/", "notice=taken") == "/interviews/" + token + "?notice=taken");
    CHECK(moved("/interviews/" + token + "/join/") == "/interviews/" + token + "/join");
    for (std::string const& path :
         {std::string("/careers/acme"), job, "/interviews/" + token, std::string("/careers/style.css"),
          std::string("/careers/"), std::string("/careers"), std::string("/careers/nobody/"),
          "/careers/bare/jobs/" + id + "1/", "/careers/acme/jobs/" + id + "4/", std::string("/careers/acme/jobs/"),
          std::string("/careers//evil.example/"), std::string("//evil.example/careers/acme/"), std::string("/docs/"),
          std::string("/api/public/v1/jobs/"), "/interviews/" + token + "/cancel/"})
        CHECK(moved(path).empty());
    CHECK(moved("/careers/acme/", {}, "POST").empty());
}

TEST_CASE("the embedded document describes the table's rows", "[public_api]") {
    REQUIRE(openapi_document().starts_with(R"({"openapi":"3.1.)"));
    for (auto const& route : routes()) {
        if (!route.path.starts_with(prefix)) continue;
        INFO(route.path);
        CHECK(openapi_document().find("\"" + std::string(route.path.substr(prefix.size())) + "\":{") !=
              std::string_view::npos);
    }
}

TEST_CASE("logs show the words of every route", "[public_api][log]") {
    for (auto const& row : routes()) {
        INFO(row.path);
        std::string shown(row.path);
        for (std::string const name : {"{slug}", "{jobId}", "{stageId}", "{token}"})
            for (auto at = shown.find(name); at != std::string::npos; at = shown.find(name))
                shown.replace(at, name.size(), "{id}");
        CHECK(http::loggable_path(row.path) == shown);
    }
}

} // namespace routes_test
