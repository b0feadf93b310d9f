// What assistants are offered: the catalogue's tools with the schemas of what they take and return, the records among
// them as resources, and a few prompts. Pure.
#pragma once
#include "auth/principal.hpp"
#include "auth_api/agent/tools/read_tool.hpp"

#include <boost/json/object.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace recruiting::auth_api::mcp {

// Members of a result: JSON text without braces. They hold what the caller's scopes, as its role leaves them, allow.
[[nodiscard]] std::string tools_for(auth::principal const& caller);
[[nodiscard]] std::string resources_for(auth::principal const& caller);
[[nodiscard]] std::string resource_templates_for(auth::principal const& caller);
[[nodiscard]] std::string all_prompts();

/// A record's address: "recruiting:/" and the path behind /api/v1, as in recruiting://jobs/0190….
struct resource {
    agent::tool const* tool;
    agent::tool_request request;
};
/// nullopt: there is no such resource.
[[nodiscard]] std::optional<resource> find_resource(std::string_view uri);

/// Members of the result of prompts/get. nullopt: no such prompt, or an argument is missing or wrong.
[[nodiscard]] std::optional<std::string> prompt_for(boost::json::object const& params);

/// Members of the result of tools/call: body is the endpoint's answer, once for programs and once as text, behind a
/// sentence on what it is and how to go on. more: further sentences, " " before each.
[[nodiscard]] std::string tool_answer(std::string_view body, std::string_view more = {});
/// The same of a call that failed in a way that the model can correct; body: the API's error.
[[nodiscard]] std::string tool_refusal(std::string_view body);
[[nodiscard]] std::string resource_answer(std::string_view uri, std::string_view body);

} // namespace recruiting::auth_api::mcp
