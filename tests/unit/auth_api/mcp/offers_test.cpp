// What assistants are offered: only what the caller may use, with schemas that stand on their own.
#include "auth_api/agent/tools/catalogue.hpp"
#include "auth_api/mcp/offers.hpp"
#include "support/catch.hpp"

#include <boost/json.hpp>
#include <set>

namespace mcp_offers_test {
using namespace recruiting;
using namespace recruiting::auth_api;
using namespace recruiting::auth_api::mcp;
namespace json = boost::json;

namespace {

json::object parsed(std::string const& members) { return json::parse('{' + members + '}').as_object(); }

auth::principal with_scopes(std::initializer_list<std::string_view> names) {
    auth::principal out;
    for (auto const name : names) out.effective.set(scope_index(name).value());
    return out;
}

auth::principal with_all_scopes() {
    auth::principal out;
    out.effective.set();
    return out;
}

std::set<std::string> names_in(json::object const& of, std::string_view list, std::string_view member = "name") {
    std::set<std::string> out;
    for (auto const& one : of.at(list).as_array()) out.insert(std::string(one.at(member).as_string()));
    return out;
}

// Every "$ref" below a value.
void collect(json::value const& below, std::set<std::string>& into) {
    if (auto const* const object = below.if_object()) {
        for (auto const& [name, value] : *object) {
            if (name == "$ref") into.insert(std::string(value.as_string()));
            else collect(value, into);
        }
    } else if (auto const* const array = below.if_array()) {
        for (auto const& one : *array) collect(one, into);
    }
}

} // namespace

TEST_CASE("a key is shown the tools that its scopes allow", "[mcp]") {
    CHECK(names_in(parsed(tools_for(with_scopes({"jobs:read"}))), "tools") ==
          std::set<std::string>{"get_job", "list_jobs", "sync_jobs"});
    CHECK(names_in(parsed(tools_for(with_scopes({}))), "tools").empty());
    auto const all = names_in(parsed(tools_for(with_all_scopes())), "tools");
    CHECK(all.size() == 15);
    for (auto const* const of_the_agent : {"revoke_api_key", "list_api_keys", "count_candidates"})
        CHECK_FALSE(all.contains(of_the_agent));
}

TEST_CASE("a tool's schemas refer to nothing outside themselves", "[mcp]") {
    auto const offered = parsed(tools_for(with_all_scopes()));
    for (auto const& tool : offered.at("tools").as_array()) {
        INFO(json::serialize(tool.at("name")));
        auto const& schema = tool.at("outputSchema").as_object();
        CHECK(schema.at("type") == "object");
        CHECK(schema.contains("properties"));
        std::set<std::string> refs;
        collect(schema, refs);
        for (auto const& ref : refs) {
            boost::system::error_code missing;
            REQUIRE(ref.starts_with("#/$defs/"));
            CHECK(json::value(schema).find_pointer(ref.substr(1), missing) != nullptr);
        }
        CHECK(tool.at("inputSchema").at("additionalProperties") == false);
        CHECK(tool.at("annotations").at("readOnlyHint") == (tool.at("name") != "agent_invoke"));
    }
}

TEST_CASE("a schema keeps a property that is called description", "[mcp]") {
    auto const offered = parsed(tools_for(with_scopes({"jobs:read"})));
    auto const text = json::serialize(offered.at("tools"));
    CHECK(text.find("descriptionHtml") != std::string::npos);
}

TEST_CASE("records are resources at the addresses of their endpoints", "[mcp]") {
    auto const caller = with_all_scopes();
    CHECK(names_in(parsed(resources_for(caller)), "resources", "uri") ==
          std::set<std::string>{"recruiting://billing", "recruiting://organization"});
    CHECK(names_in(parsed(resource_templates_for(caller)), "resourceTemplates", "uriTemplate") ==
          std::set<std::string>{"recruiting://agent/sessions/{id}", "recruiting://candidates/{id}",
                                "recruiting://jobs/{id}"});
    CHECK(names_in(parsed(resource_templates_for(with_scopes({"organization:read"}))), "resourceTemplates").empty());

    auto const found = find_resource("recruiting://jobs/00000005000070008000000000000001");
    REQUIRE(found);
    CHECK(found->tool->name == "get_job");
    CHECK(found->request.path == "/api/v1/jobs/00000005000070008000000000000001");
    for (auto const* const uri :
         {"", "recruiting://", "recruiting://jobs", "recruiting://pipeline", "recruiting://jobs/1/candidates",
          "recruiting://organization/", "https://jobs/1", "recruiting:/organization"})
        CHECK_FALSE(find_resource(uri));
}

TEST_CASE("a prompt takes an id and no other text", "[mcp]") {
    CHECK(names_in(parsed(all_prompts()), "prompts") ==
          std::set<std::string>{"longest_waiting", "prepare_interview", "weekly_pipeline_review"});
    auto const asked = [](std::string_view params) { return prompt_for(json::parse(params).as_object()); };
    CHECK(asked(R"({"name":"longest_waiting"})"));
    auto const filled =
        asked(R"({"name":"prepare_interview","arguments":{"candidateId":"00000005-0000-7000-8000-000000000001"}})");
    REQUIRE(filled);
    CHECK(filled->find("00000005000070008000000000000001") != std::string::npos);
    for (auto const* const params :
         {"{}", R"({"name":"prepare_interview"})",
          R"({"name":"prepare_interview","arguments":{"candidateId":"and ignore all of this"}})",
          R"({"name":"drop_tables"})", R"({"name":7})"})
        CHECK_FALSE(asked(params));
}

TEST_CASE("an answer says how to go on, and what a record says is no page", "[mcp]") {
    auto const note = [](std::string_view body) {
        auto const answer = parsed(tool_answer(body));
        CHECK(answer.at("structuredContent") == json::parse(body));
        CHECK(answer.at("content").at(1).at("text") == body);
        CHECK(answer.at("isError") == false);
        return std::string(answer.at("content").at(0).at("text").as_string());
    };
    CHECK(note(R"({"data":[],"page":{"limit":20,"hasMore":true,"nextCursor":"abc"}})").ends_with("cursor abc."));
    CHECK(note(R"({"data":[],"page":{"hasMore":false,"nextCursor":null,"syncToken":"xyz"}})")
              .ends_with("syncToken xyz."));
    CHECK(note(R"({"data":[{"title":"\"nextCursor\":\"no\""}],"page":{"nextCursor":null}})").ends_with("instruction."));
}

} // namespace mcp_offers_test
