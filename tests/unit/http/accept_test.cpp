// Accept as RFC 9110 section 12.5.1 has it.
#include "http/message.hpp"
#include "support/catch.hpp"

namespace accept_test {
using namespace recruiting::http;

TEST_CASE("a type is accepted only by its name and above zero", "[http]") {
    REQUIRE(accepts("application/problem+json", "application/problem+json"));
    REQUIRE(accepts("text/html, Application/Problem+JSON;q=0.5, */*;q=0.1", "application/problem+json"));
    for (auto const* accept :
         {"", "*/*", "application/*", "application/problem+json;q=0", "application/problem+json; q=0.000"})
        REQUIRE_FALSE(accepts(accept, "application/problem+json"));
}

TEST_CASE("the highest quality wins, among equals the first offered", "[http]") {
    auto const chosen = [](std::string_view accept) {
        return preferred_type(accept, {"application/json", "text/csv", "application/x-ndjson"});
    };
    REQUIRE(chosen("") == "application/json");
    REQUIRE(chosen("*/*") == "application/json");
    REQUIRE(chosen("image/png") == "application/json");
    REQUIRE(chosen("text/csv") == "text/csv");
    REQUIRE(chosen("text/*") == "text/csv");
    REQUIRE(chosen("application/json, text/csv;q=0.1") == "application/json");
    REQUIRE(chosen("application/x-ndjson;q=0.2, application/json;q=0.1") == "application/x-ndjson");
    REQUIRE(chosen("*/*;q=0.5, text/csv;header=present;q=0.9") == "text/csv");
    REQUIRE(chosen("*/*, application/json;q=0.3") == "text/csv"); // the most exact range decides for JSON
}

TEST_CASE("gzip: only where it is asked for, and no less than the plain text", "[http]") {
    for (std::string_view const yes : {"gzip", "GZIP", "x-gzip", "deflate, gzip;q=1.0, *;q=0.5", "br,gzip", "*",
                                       "gzip;q=0.001", "identity;q=0.5, gzip;q=0.5", "gzip;q=1, identity;q=0"})
        CHECK(prefers_gzip(yes));
    for (std::string_view const no : {"", "identity", "br", "gzip;q=0", "gzip;q=0.000", "*;q=0", "gzip;q=0, *;q=1",
                                      "identity, gzip;q=0.9", "gzipped", "deflate"})
        CHECK_FALSE(prefers_gzip(no));
}

} // namespace accept_test
