// The route table of the public API: what matches, 404, 405 with Allow, and that each row is documented.
#include "public_api/docs/document_site.hpp"
#include "public_api/routes.hpp"
#include "support/catch.hpp"

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

TEST_CASE("the embedded document describes the table's rows", "[public_api]") {
    REQUIRE(openapi_document().starts_with(R"({"openapi":"3.1.)"));
    for (auto const& route : routes()) {
        if (!route.path.starts_with(prefix)) continue;
        INFO(route.path);
        CHECK(openapi_document().find("\"" + std::string(route.path.substr(prefix.size())) + "\":{") !=
              std::string_view::npos);
    }
}

} // namespace routes_test
