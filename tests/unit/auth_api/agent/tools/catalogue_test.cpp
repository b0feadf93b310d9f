// What models are told of the tools, and what is made of the arguments they give.
#include "audit/actions.hpp"
#include "auth_api/agent/tools/read_tool.hpp"
#include "auth_api/routes.hpp"
#include "support/catch.hpp"

#include <boost/json.hpp>
#include <set>

namespace catalogue_test {
using namespace recruiting;
using namespace recruiting::auth_api;
using namespace recruiting::auth_api::agent;
namespace json = boost::json;

namespace {

http::token_signer const signer("a secret of thirty-two bytes or so");
constexpr auto id = "00000005000070008000000000000001";

tool const& named(std::string_view name) {
    auto const* const found = find_tool(name);
    REQUIRE(found != nullptr);
    return *found;
}

// "field reason" of each problem.
std::set<std::string> problems(std::string_view name, std::string_view arguments) {
    std::set<std::string> out;
    auto const read = read_arguments(named(name), arguments);
    if (read) return out;
    REQUIRE(read.error().code == error_code::invalid_request);
    for (auto const& detail : read.error().details) {
        REQUIRE(detail.location == "arguments");
        REQUIRE_FALSE(detail.message.empty());
        out.insert(detail.field + " " + detail.reason);
    }
    return out;
}

std::string query(std::string_view name, std::string_view arguments) {
    auto const read = read_arguments(named(name), arguments);
    REQUIRE(read.has_value());
    return request_of(named(name), *read).query;
}

// A value of the parameter that its endpoint takes.
json::value sample(json::object const& schema) {
    if (schema.contains("enum")) return schema.at("enum").as_array().at(0);
    if (schema.at("type") == "integer") return 7;
    if (schema.at("type") == "boolean") return true;
    if (schema.contains("format")) return "2026-01-31T09:30:00Z";
    return id;
}

bool binds(tool const& which, json::object const& arguments) {
    auto const input = read_arguments(which, json::serialize(arguments));
    if (!input) return false;
    auto const asked = request_of(which, *input);
    http::query_reader reader(asked.query);
    bind_input in{asked.path_values, reader, signer};
    auto const bound = which.bind(in);
    if (!bound)
        for (auto const& detail : bound.error().details) UNSCOPED_INFO(detail.field + " " + detail.reason);
    return bound.has_value();
}

} // namespace

TEST_CASE("every tool of an endpoint has its route, its scope and its code", "[agent][tools]") {
    for (auto const& which : catalogue()) {
        INFO(which.name);
        REQUIRE_FALSE(which.text.empty());
        REQUIRE_FALSE(which.title.empty());
        for (auto const who : {caller::agent, caller::assistant})
            REQUIRE(find_tool(which.name, who) == (which.is_for(who) ? &which : nullptr));
        if (which.endpoint.empty()) continue;
        auto const match = std::ranges::find(routes(), which.endpoint, &route::path);
        REQUIRE(match != routes().end());
        REQUIRE(match->scope == which.scope);
        REQUIRE(match->action.read == which.bind);
        REQUIRE(match->action.invokes_agent == (which.bind == nullptr));
    }
    REQUIRE(find_tool("drop_tables") == nullptr);
}

TEST_CASE("search_audit offers every action of the audit log", "[agent][tools]") {
    auto const tools = descriptions();
    auto const offered = std::ranges::find(tools, "search_audit", [](auto const& one) { return one.name; });
    auto const schema = json::parse(offered->parameters);
    CHECK(schema.at("properties").at("action").at("enum").as_array().size() == audit::actions.size());
}

TEST_CASE("every parameter that a schema tells of is one its endpoint takes, in the form told", "[agent][tools]") {
    for (auto const& which : catalogue()) {
        INFO(which.name);
        auto const schema = json::parse(schema_of(which)).as_object();
        REQUIRE(schema.at("type") == "object");
        REQUIRE(schema.at("additionalProperties") == false);
        json::object required;
        for (auto const& name : schema.at("required").as_array())
            required[name.as_string()] = sample(schema.at("properties").at(name.as_string()).as_object());
        if (which.bind == nullptr) continue;
        REQUIRE(binds(which, required));
        for (auto const& [name, described] : schema.at("properties").as_object()) {
            INFO(name);
            if (name == "cursor" || name == "syncToken") continue; // only signed ones are taken
            auto const& one = described.as_object();
            REQUIRE_FALSE(one.at("description").as_string().empty());
            auto arguments = required;
            arguments[name] = sample(one);
            REQUIRE(binds(which, arguments));
            if (!one.contains("enum")) continue;
            for (auto const& value : one.at("enum").as_array()) {
                arguments[name] = value;
                REQUIRE(binds(which, arguments));
            }
        }
    }
}

TEST_CASE("arguments become the endpoint's request", "[agent][tools]") {
    REQUIRE(query("list_jobs", "") == "limit=50");
    REQUIRE(query("list_jobs", " {} ") == "limit=50");
    REQUIRE(query("list_jobs", "null") == "limit=50");
    REQUIRE(query("list_jobs", R"({"limit":10})") == "limit=10");
    REQUIRE(query("list_jobs", R"({"limit":"10"})") == "limit=10");
    REQUIRE(query("list_jobs", R"({"limit":10.0})") == "limit=10");
    REQUIRE(query("list_jobs", R"({"limit":18446744073709551615})") == "limit=18446744073709551615");
    REQUIRE(query("list_jobs", R"({"published":true})") == "published=true&limit=50");
    REQUIRE(query("list_jobs", R"({"published":"False"})") == "published=false&limit=50");
    REQUIRE(query("list_jobs", R"({"q":null,"department":""})") == "limit=50");
    REQUIRE(query("list_jobs", R"({"q":"R&D é=1"})") == "q=R%26D%20%C3%A9%3D1&limit=50");
    REQUIRE(query("list_jobs", R"({"q":"a\u0000b"})") == "q=a%00b&limit=50");
    REQUIRE(query("get_organization", "") == "");

    auto const read = read_arguments(named("get_job"), R"({"jobId":"../me"})");
    REQUIRE(read.has_value());
    auto const asked = request_of(named("get_job"), *read);
    REQUIRE(asked.path == "/api/v1/jobs/..%2Fme");
    REQUIRE(asked.path_values[0] == "../me");
    REQUIRE(asked.query.empty());
}

TEST_CASE("what is no use as arguments is told, all at once", "[agent][tools]") {
    using all = std::set<std::string>;
    REQUIRE(problems("list_jobs", "{") == all{" malformed_json"});
    REQUIRE(problems("list_jobs", "status=open") == all{" malformed_json"});
    REQUIRE(problems("list_jobs", "{} {}") == all{" malformed_json"});
    REQUIRE(problems("list_jobs", "{\"q\":\"\xff\"}") == all{" malformed_json"});
    REQUIRE(problems("list_jobs", std::string(30000, '[')) == all{" too_long"});
    REQUIRE(problems("list_jobs", std::string(1000, '[') + std::string(1000, ']')) == all{" malformed_json"});
    REQUIRE(problems("list_jobs", "[]") == all{" wrong_type"});
    REQUIRE(problems("list_jobs", "7") == all{" wrong_type"});
    REQUIRE(problems("list_jobs", R"({"limit":1.5,"q":7,"published":1,"team":"x"})") ==
            all{"limit wrong_type", "q wrong_type", "published wrong_type", "team unknown"});
    REQUIRE(problems("list_jobs", R"({"limit":1e300,"q":["a"],"department":{"name":"x"}})") ==
            all{"limit wrong_type", "q wrong_type", "department wrong_type"});
    REQUIRE(problems("list_jobs", R"({"syncToken":""})") == all{"syncToken unknown"});
    REQUIRE(problems("get_job", "{}") == all{"jobId missing"});
    REQUIRE(problems("get_job", R"({"jobId":""})") == all{"jobId missing"});
    REQUIRE(problems("get_job", R"({"jobId":null})") == all{"jobId missing"});
}

TEST_CASE("an endpoint's problems with its query are told as problems of the arguments", "[agent][tools]") {
    auto const told =
        as_argument_error(invalid_request({{"query", "limit", "out_of_range", "m"}, {"path", "", "", ""}}));
    REQUIRE(told.details[0].location == "arguments");
    REQUIRE(told.details[1].location == "path");
}

TEST_CASE("a list's limit is known where it is a number", "[agent][tools]") {
    tool_input input;
    REQUIRE(input.limit() == 50);
    input.set_limit(3);
    REQUIRE(input.limit() == 3);
    input.values["limit"] = "many";
    REQUIRE(input.limit() == 0);
}

TEST_CASE("models are told that times are in UTC, as endpoints take them", "[agent][tools]") {
    int times = 0;
    for (auto const& which : catalogue())
        for (auto const& what : which.parameters)
            if (what.kind == argument_kind::time) {
                ++times;
                CHECK(what.text.find("in UTC") != std::string_view::npos);
                CHECK(what.text.find("RFC 3339") == std::string_view::npos);
            }
    CHECK(times == 2);
}

TEST_CASE("a call has read under the scopes in effect, in the narrowest role that is shown as much", "[agent][tools]") {
    auth::principal who;
    who.effective.set();
    auto const used = [&who](std::string_view name, role held) {
        who.role = held;
        return to_string(reach_used(named(name), who).role);
    };
    for (auto const* name : {"search_candidates", "get_candidate", "get_pipeline"}) {
        INFO(name);
        CHECK(used(name, role::admin) == "recruiter");
        CHECK(used(name, role::recruiter) == "recruiter");
        CHECK(used(name, role::hiring_manager) == "viewer");
    }
    for (auto const* name : {"list_api_keys", "revoke_api_key"}) {
        INFO(name);
        CHECK(used(name, role::admin) == "admin");
        CHECK(used(name, role::recruiter) == "viewer");
    }
    CHECK(used("list_jobs", role::admin) == "viewer");
    who.effective.reset(*scope_index("members:read"));
    CHECK(auth::scope_names(reach_used(named("get_pipeline"), who).scopes) ==
          std::vector<std::string>{"candidates:read", "pipeline:read"});
}

} // namespace catalogue_test
