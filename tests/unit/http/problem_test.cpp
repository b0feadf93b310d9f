// Errors as answers: the envelope, RFC 9457, challenges.
#include "core/text.hpp"
#include "http/message.hpp"
#include "http/problem.hpp"
#include "support/catch.hpp"

namespace problem_test {
using namespace recruiting;
using http::accepts;
using http::problem_response;

namespace {

std::string value_of(http::response const& answer, std::string_view name) {
    for (auto const& [field, value] : answer.headers)
        if (field == name) return value;
    return {};
}

} // namespace

TEST_CASE("the envelope has its four members", "[http]") {
    auto const answer = problem_response(make_error(error_code::not_found), "request-1", "");
    REQUIRE(answer.status == 404);
    REQUIRE(answer.content_type == "application/json");
    REQUIRE(answer.body ==
            R"({"error":{"code":"not_found","message":"Not found.","requestId":"request-1","details":[]}})");
}

TEST_CASE("all problems are told", "[http]") {
    auto const answer = problem_response(
        invalid_request({{"query", "limit", "out_of_range", "Must be \"less\"."}, {"body", "", "missing", "y"}}), "r",
        "");
    REQUIRE(
        answer.body.find(
            R"("details":[{"location":"query","field":"limit","reason":"out_of_range","message":"Must be \"less\"."},)"
            R"({"location":"body","field":"","reason":"missing","message":"y"}])") != std::string::npos);
}

TEST_CASE("problem+json when the client asks for it by name", "[http]") {
    auto const answer =
        problem_response(make_error(error_code::service_unavailable), "r", "text/html, application/problem+json");
    REQUIRE(answer.content_type == "application/problem+json");
    REQUIRE(answer.body.starts_with(R"({"type":"about:blank","title":)"));
    REQUIRE(answer.body.find(R"("status":503)") != std::string::npos);
    REQUIRE(value_of(answer, "Retry-After") == "1");
}

TEST_CASE("Accept is read by media type and quality", "[http]") {
    REQUIRE(accepts("application/problem+json", "application/problem+json"));
    REQUIRE(accepts("text/html, Application/Problem+JSON ; q=0.1", "application/problem+json"));
    REQUIRE(accepts("text/csv;charset=utf-8", "text/csv"));
    REQUIRE_FALSE(accepts("application/problem+json;q=0", "application/problem+json"));
    REQUIRE_FALSE(accepts("application/problem+json;q=0.000", "application/problem+json"));
    REQUIRE_FALSE(accepts("*/*", "application/problem+json"));
    REQUIRE_FALSE(accepts("application/*", "application/problem+json"));
    REQUIRE_FALSE(accepts("", "application/problem+json"));
}

TEST_CASE("405 tells Allow, 401 challenges", "[http]") {
    auto refused = make_error(error_code::method_not_allowed);
    refused.allow = "GET, HEAD";
    REQUIRE(value_of(problem_response(refused, "r", ""), "Allow") == "GET, HEAD");
    REQUIRE(value_of(problem_response(make_error(error_code::missing_credential), "r", ""), "WWW-Authenticate") ==
            R"(Bearer realm="api")");
}

TEST_CASE("every code has a status, a sentence and a name of its own", "[http]") {
    std::vector<std::string_view> seen;
    for (int i = 0; i <= static_cast<int>(error_code::model_unavailable); ++i) {
        auto const code = static_cast<error_code>(i);
        REQUIRE(http_status(code) >= 400);
        REQUIRE(http_status(code) != 502);
        REQUIRE(http_status(code) != 504);
        REQUIRE_FALSE(default_message(code).empty());
        REQUIRE(std::find(seen.begin(), seen.end(), to_string(code)) == seen.end());
        seen.push_back(to_string(code));
    }
}

TEST_CASE("a refusal has at most 20 details and is never larger than 16 KiB", "[http]") {
    std::string const worst(9000, '"'); // JSON doubles it
    for (auto const* accept : {"", "application/problem+json"}) {
        for (auto const& name : {worst, std::string(9000, '\x01'), std::string(9000, '\xFF'), std::string("limit")}) {
            auto error = invalid_request({});
            error.message = name;
            for (int i = 0; i < 5000; ++i) error.details.push_back({"query", name, "unknown", name});
            auto const answer = problem_response(error, std::string(64, 'r'), accept);
            CHECK(answer.body.size() <= 16 * 1024);
            CHECK(is_utf8(answer.body));
            std::size_t details = 0;
            for (auto at = answer.body.find("\"location\""); at != std::string::npos;
                 at = answer.body.find("\"location\"", at + 1))
                ++details;
            CHECK(details <= 20);
            CHECK(details >= 10);
            if (name == "limit") CHECK(details == 20);
        }
    }
}

TEST_CASE("no reason leaves but those of the list", "[http]") {
    for (auto const word : http::detail_reasons) CHECK(http::is_detail_reason(word));
    auto const answer = problem_response(invalid_request({{"query", "a", "made_up", "m"}}), "r", "");
    CHECK(answer.body.find("made_up") == std::string::npos);
    CHECK(answer.body.find(R"("reason":"invalid")") != std::string::npos);
}

TEST_CASE("a 503 says whether the request may have taken effect", "[http]") {
    CHECK(http::not_forwarded().message.find("was not forwarded") != std::string::npos);
    // None says that nothing was done: an earlier request with the same Idempotency-Key may have begun a run.
    for (auto const& error :
         {http::not_forwarded(), http::outcome_unknown_with_key(), http::outcome_unknown_without_key(),
          make_error(error_code::service_unavailable), make_error(error_code::model_unavailable)}) {
        auto const answer = problem_response(error, "r", "application/problem+json");
        CHECK(answer.body.find("othing was") == std::string::npos);
    }
    CHECK(http::outcome_unknown_with_key().code == error_code::service_unavailable);
    CHECK(http::outcome_unknown_with_key().retry_after_seconds > 0);
    CHECK(http::outcome_unknown_with_key().message.find("same Idempotency-Key") != std::string::npos);
    CHECK(http::outcome_unknown_without_key().code == error_code::outcome_unknown);
}

} // namespace problem_test
