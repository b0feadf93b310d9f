// What is read of a message of the Model Context Protocol, in its revisions, and what is refused of it.
#include "auth_api/mcp/message.hpp"
#include "support/catch.hpp"

#include <boost/json.hpp>

namespace mcp_message_test {
using namespace recruiting;
using namespace recruiting::auth_api::mcp;
namespace json = boost::json;

namespace {

using fields = std::vector<std::pair<std::string_view, std::string_view>>;

read_result read(std::string_view body, fields headers = {}) {
    http::request req;
    req.method = "POST";
    req.path = "/api/v1/mcp";
    req.headers = std::move(headers);
    req.body = body;
    return read_message(req);
}

constexpr std::string_view meta =
    R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}})";

std::string stateless(std::string_view method, std::string_view params = "") {
    return R"({"jsonrpc":"2.0","id":1,"method":")" + std::string(method) + R"(","params":{)" + std::string(meta) +
           std::string(params) + "}}";
}

fields headers_of(std::string_view method, std::string_view name = {}) {
    fields out{{"MCP-Protocol-Version", "2026-07-28"}, {"Mcp-Method", method}};
    if (!name.empty()) out.emplace_back("Mcp-Name", name);
    return out;
}

int code_of(read_result const& read) { return read.error ? read.error->code : 0; }

} // namespace

TEST_CASE("a message without a version is of a revision that begins with initialize", "[mcp]") {
    auto const found = read(R"({"jsonrpc":"2.0","id":"a","method":"initialize","params":{}})");
    REQUIRE_FALSE(found.error);
    CHECK(found.asked.wanted == method::initialize);
    CHECK_FALSE(found.asked.stateless);
    CHECK(found.asked.id == R"("a")");
    CHECK_FALSE(
        read(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})", {{"MCP-Protocol-Version", "2025-06-18"}}).error);
    CHECK(code_of(read(R"({"jsonrpc":"2.0","id":1,"method":"server/discover"})")) == method_not_found);
}

TEST_CASE("a message of 2026-07-28 says its version, and its header fields say the same", "[mcp]") {
    auto const found = read(stateless("tools/call", R"(,"name":"get_job")"), headers_of("tools/call", "get_job"));
    REQUIRE_FALSE(found.error);
    CHECK(found.asked.stateless);
    CHECK(found.asked.wanted == method::call_tool);
    CHECK_FALSE(
        read(stateless("tools/call", R"(,"name":"get_job")"), headers_of("tools/call", "=?base64?Z2V0X2pvYg==?="))
            .error);

    CHECK(code_of(read(stateless("tools/list"), headers_of("tools/call"))) == header_mismatch);
    CHECK(code_of(read(stateless("tools/list"))) == header_mismatch);
    CHECK(code_of(read(stateless("tools/list"),
                       {{"MCP-Protocol-Version", "2025-11-25"}, {"Mcp-Method", "tools/list"}})) == header_mismatch);
    for (std::string_view const name : {"get_billing", "=?base64?Z2V0X2JpbGxpbmc=?=", "=?base64?%?="})
        CHECK(code_of(read(stateless("tools/call", R"(,"name":"get_job")"), headers_of("tools/call", name))) ==
              header_mismatch);
    CHECK(code_of(read(stateless("tools/call", R"(,"name":"get_job")"), headers_of("tools/call"))) == header_mismatch);
    CHECK(code_of(read(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})", headers_of("tools/list"))) ==
          invalid_params);
    for (std::string_view const gone : {"initialize", "ping", "subscriptions/listen"}) {
        auto const refused = read(stateless(gone), headers_of(gone));
        REQUIRE(code_of(refused) == method_not_found);
        CHECK(refused.error->status == 404);
    }
}

TEST_CASE("another version is refused with those that are spoken", "[mcp]") {
    constexpr std::string_view body =
        R"({"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"1900-01-01","io.modelcontextprotocol/clientCapabilities":{}}}})";
    auto const refused = read(body, {{"MCP-Protocol-Version", "1900-01-01"}, {"Mcp-Method", "tools/list"}});
    REQUIRE(code_of(refused) == unsupported_version);
    CHECK(refused.error->status == 400);
    auto const text = json::parse(error_text(refused.asked, *refused.error, "request"));
    CHECK(text.at("id") == 7);
    CHECK(text.at_pointer("/error/data/requested") == "1900-01-01");
    CHECK(text.at_pointer("/error/data/supported/0") == newest_revision);
    CHECK(text.at_pointer("/error/data/requestId") == "request");
}

TEST_CASE("what is no message is refused, with its id where it can be read", "[mcp]") {
    std::string const deep = std::string(100'000, '[') + std::string(100'000, ']');
    for (std::string_view const body :
         {std::string_view(), std::string_view("{"), std::string_view("\"\xFF\""), std::string_view(deep)})
        CHECK(code_of(read(body)) == parse_error);
    for (auto const* const body :
         {"[]", R"([{"jsonrpc":"2.0","id":1,"method":"ping"}])", "null", R"({"id":1,"method":"ping"})",
          R"({"jsonrpc":"1.0","id":1,"method":"ping"})", R"({"jsonrpc":"2.0","id":1})",
          R"({"jsonrpc":"2.0","id":1,"result":{}})", R"({"jsonrpc":"2.0","id":null,"method":"ping"})",
          R"({"jsonrpc":"2.0","id":1.5,"method":"ping"})", R"({"jsonrpc":"2.0","id":1e400,"method":"ping"})",
          R"({"jsonrpc":"2.0","id":{},"method":"ping"})", R"({"jsonrpc":"2.0","id":1,"method":"ping","params":[]})"}) {
        INFO(body);
        CHECK(read(body).error.has_value());
    }
    auto const unknown = read(R"({"jsonrpc":"2.0","id":18446744073709551615,"method":"nothing"})");
    REQUIRE(code_of(unknown) == method_not_found);
    CHECK(unknown.error->status == 200);
    CHECK(error_text(unknown.asked, *unknown.error, "r").find(R"("id":18446744073709551615,)") != std::string::npos);
    auto const batch = read("[]");
    CHECK(error_text(batch.asked, *batch.error, "r").find(R"("id")") == std::string::npos);
}

TEST_CASE("a notification has no id", "[mcp]") {
    auto const found = read(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    REQUIRE_FALSE(found.error);
    CHECK(found.asked.wanted == method::notification);
}

TEST_CASE("initialize settles on a revision that both speak", "[mcp]") {
    auto const settled = [](std::string const& wanted) {
        auto const found =
            read(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":")" + wanted + "\"}}");
        auto const text = json::parse(result_text(found.asked, initialized(found.asked)));
        CHECK_FALSE(text.at("result").as_object().contains("resultType"));
        return std::string(text.at_pointer("/result/protocolVersion").as_string());
    };
    CHECK(settled("2025-06-18") == "2025-06-18");
    CHECK(settled("2025-11-25") == "2025-11-25");
    CHECK(settled("2024-11-05") == "2025-11-25");
    CHECK(settled("2026-07-28") == "2025-11-25");
}

TEST_CASE("a result of 2026-07-28 says that it is complete, and from whom", "[mcp]") {
    auto const found = read(stateless("server/discover"), headers_of("server/discover"));
    REQUIRE_FALSE(found.error);
    auto const result = json::parse(result_text(found.asked, discovered())).at("result");
    CHECK(result.at("resultType") == "complete");
    CHECK(result.at("cacheScope") == "public");
    CHECK(result.at("_meta").at("io.modelcontextprotocol/serverInfo").at("name") == "recruiting");
    CHECK(result.at("supportedVersions").as_array().size() == 3);
}

TEST_CASE("a page elsewhere is refused, one of this machine is not", "[mcp]") {
    auto const refused = [](fields headers) {
        http::request req;
        req.headers = std::move(headers);
        return refuse_origin(req, "https://jobs.acme.example").has_value();
    };
    CHECK_FALSE(refused({}));
    for (std::string_view const own :
         {"https://jobs.acme.example", "http://localhost:6274", "http://127.0.0.1", "http://[::1]:80"})
        CHECK_FALSE(refused({{"Origin", own}}));
    for (std::string_view const foreign :
         {"null", "", "https://evil.example", "http://localhost.evil.example", "http://localhost:80.evil.example",
          "http://127.0.0.1:", "http://jobs.acme.example"})
        CHECK(refused({{"Origin", foreign}}));
    CHECK(refused({{"Origin", "http://localhost"}, {"Origin", "http://localhost"}}));
}

} // namespace mcp_message_test
