// POST /agent/invoke as it is read: body, Idempotency-Key, and what is wrong with either, all at once.
#include "auth_api/agent/invoke/invocation.hpp"
#include "support/catch.hpp"

namespace invocation_test {
using namespace recruiting;
using namespace recruiting::auth_api::agent;

namespace {

struct invocation_request {
    http::request req;

    explicit invocation_request(std::string_view body) {
        req.method = "POST";
        req.headers.emplace_back("Content-Type", "application/json");
        req.body = body;
    }
    invocation_request& with(std::string_view name, std::string_view value) {
        req.headers.emplace_back(name, value);
        return *this;
    }
    result<invocation> read(std::int64_t most = 32'000) const { return read_invocation(req, most); }
};

std::vector<std::string> reasons(result<invocation> const& read) {
    REQUIRE_FALSE(read.has_value());
    CHECK(read.error().code == error_code::invalid_request);
    std::vector<std::string> out;
    for (auto const& detail : read.error().details)
        out.push_back(detail.location + " " + detail.field + " " + detail.reason);
    return out;
}

using texts = std::vector<std::string>;

} // namespace

TEST_CASE("an invocation is a prompt, and a session or a key") {
    auto const plain = invocation_request(R"({"prompt":"How many jobs?"})").read();
    REQUIRE(plain.has_value());
    CHECK(plain->prompt == "How many jobs?");
    CHECK(plain->prompt_hash == sha256("How many jobs?"));
    CHECK_FALSE(plain->session_id);
    CHECK_FALSE(plain->key);

    auto const resumed =
        invocation_request(R"({"prompt":"And now?","sessionId":"0190163d8694739b9b8b3a3f6f1f7a10"})").read();
    REQUIRE(resumed.has_value());
    CHECK(to_string(*resumed->session_id) == "0190163d8694739b9b8b3a3f6f1f7a10");

    auto const keyed = invocation_request(R"({"prompt":"x","sessionId":null})").with("idempotency-key", " k1 ").read();
    REQUIRE(keyed.has_value());
    CHECK(keyed->key == "k1");
    CHECK_FALSE(keyed->session_id);
}

TEST_CASE("the body must be a JSON object of media type application/json") {
    for (std::string_view const type : {"text/plain", "", "application/jsonp", "multipart/form-data; a=b"}) {
        invocation_request request(R"({"prompt":"x"})");
        request.req.headers[0].second = type;
        auto const read = request.read();
        REQUIRE_FALSE(read.has_value());
        CHECK(read.error().code == error_code::unsupported_media_type);
    }
    for (std::string_view const type : {"application/json; charset=utf-8", "Application/JSON"}) {
        invocation_request request(R"({"prompt":"x"})");
        request.req.headers[0].second = type;
        CHECK(request.read().has_value());
    }
    for (std::string_view const body :
         {"", "{", R"({"prompt":"x"} x)", "{'prompt':1}", "\xff", R"({"prompt":"\ud800"})"})
        CHECK(reasons(invocation_request(body).read()) == texts{"body  malformed_json"});
    for (std::string_view const body : {"[]", "1", "null", "\"prompt\""})
        CHECK(reasons(invocation_request(body).read()) == texts{"body  wrong_type"});
}

TEST_CASE("a prompt says something, in UTF-8 without NUL, and is no longer than allowed") {
    CHECK(reasons(invocation_request("{}").read()) == texts{"body prompt missing"});
    CHECK(reasons(invocation_request(R"({"prompt":null})").read()) == texts{"body prompt wrong_type"});
    CHECK(reasons(invocation_request(R"({"prompt":["x"]})").read()) == texts{"body prompt wrong_type"});
    CHECK(reasons(invocation_request(R"({"prompt":""})").read()) == texts{"body prompt empty"});
    CHECK(reasons(invocation_request(R"({"prompt":" \n\u0001\t"})").read()) == texts{"body prompt empty"});
    CHECK(reasons(invocation_request(R"({"prompt":"a\u0000b"})").read()) == texts{"body prompt invalid"});
    CHECK(invocation_request(R"({"prompt":"äöü"})").read(3).has_value());
    CHECK(reasons(invocation_request(R"({"prompt":"äöüß"})").read(3)) == texts{"body prompt too_long"});
}

TEST_CASE("a JSON body with the same member twice is refused") {
    for (std::string_view const body :
         {R"({"prompt":"a","prompt":"b"})", R"({"prompt":"a","prompt":"a"})", R"({"prompt":"a","\u0070rompt":"b"})"})
        CHECK(reasons(invocation_request(body).read()) == texts{"body prompt repeated"});
    CHECK(reasons(invocation_request(R"({"prompt":"a","x":1,"x":2})").read()) == texts{"body x repeated"});
}

TEST_CASE("an API key pasted into a prompt is masked before anything sees it") {
    auto const read =
        invocation_request(R"({"prompt":"is sp_test_abcdefghijABCDEFGHIJabcdefghijABCDEFGHIJ mine?"})").read();
    REQUIRE(read.has_value());
    CHECK(read->prompt == "is sp_test_*** mine?");
}

TEST_CASE("every problem of an invocation is told at once") {
    auto request = invocation_request(R"({"promt":"x","sessionId":"nope"})").with("Idempotency-Key", "ä");
    request.req.query = "dryRun=1";
    CHECK(reasons(request.read()) == texts{"query dryRun unknown", "header Idempotency-Key invalid",
                                           "body prompt missing", "body sessionId invalid", "body promt unknown"});
    auto const repeated =
        invocation_request(R"({"prompt":"x"})").with("Idempotency-Key", "a").with("Idempotency-Key", "a");
    CHECK(reasons(repeated.read()) == texts{"header Idempotency-Key repeated"});
}

TEST_CASE("a key goes with the first invocation of a session only") {
    auto const both = invocation_request(R"({"prompt":"x","sessionId":"0190163d8694739b9b8b3a3f6f1f7a10"})")
                          .with("Idempotency-Key", "k");
    CHECK(reasons(both.read()) == texts{"header Idempotency-Key not_with_session_id"});
}

TEST_CASE("Idempotency-Key: 1 to 255 printable ASCII characters, quoted or not") {
    CHECK(read_idempotency_key("abc") == "abc");
    CHECK(read_idempotency_key("\"abc\"") == "abc");
    CHECK(read_idempotency_key(" \"a b\" ") == "a b");
    CHECK(read_idempotency_key(R"("a\"b\\c")") == R"(a"b\c)");
    CHECK(read_idempotency_key(R"(a"b)") == R"(a"b)");
    CHECK(read_idempotency_key(std::string(255, 'k')) == std::string(255, 'k'));
    CHECK(read_idempotency_key("\"" + std::string(255, 'k') + "\"") == std::string(255, 'k'));
    for (std::string const& wrong : {std::string(), std::string("\"\""), std::string(256, 'k'), std::string("\"abc"),
                                     std::string("\"a\"b\""), std::string(R"("a\n")"), std::string("\"a\\"),
                                     std::string("a\tb"), std::string("k\x7f"), std::string("schlüssel")})
        CHECK_FALSE(read_idempotency_key(wrong));
}

TEST_CASE("a session is called by the first words of its prompt, on one line") {
    CHECK(session_title("  How many\n\tcandidates?  ") == "How many candidates?");
    CHECK(session_title(std::string(80, 'a')) == std::string(80, 'a'));
    CHECK(session_title(std::string(81, 'a')) == std::string(80, 'a') + "…");
    CHECK(session_title(std::string(80, 'a') + " ") == std::string(80, 'a'));
    std::string umlauts;
    for (int i = 0; i < 81; ++i) umlauts += "ü";
    CHECK(session_title(umlauts) == umlauts.substr(0, 160) + "…");
    CHECK(session_title("\n\x01\x7f ").empty());
}

} // namespace invocation_test
