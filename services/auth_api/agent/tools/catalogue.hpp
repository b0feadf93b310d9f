// All tools on one screen: what each does, what it takes, the scope it needs, and the endpoint whose code runs. The
// agent calls them (proto-docs/agent.md), and assistants outside do by MCP (proto-docs/mcp.md). Values only; read_tool,
// api_keys and dispatch_mcp run them.
#pragma once
#include "auth/principal.hpp"
#include "auth_api/agent/model.hpp"
#include "auth_api/http/resource.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace recruiting::auth_api::agent {

enum class argument_kind { text, integer, boolean, id, time, choice };

struct parameter {
    std::string_view name;
    argument_kind kind{argument_kind::text};
    std::string_view text;      // for the model
    std::string_view allowed{}; // choice: "open|closed"
    bool required{false};
    bool in_path{false}; // else in the query
};

/// Who calls a tool.
enum class caller { agent, assistant, both };

struct tool {
    std::string_view name;
    std::string_view title; // for people
    std::string_view text;  // for the model
    std::string_view scope;
    std::string_view endpoint; // the route's template; "": no endpoint does this
    bind_function bind;        // nullptr: it changes something, and has code of its own
    caller by{caller::both};
    std::span<parameter const> parameters{};
    role shows_all{role::viewer};                 // the narrowest role that is shown every record
    std::array<std::string_view, 2> widened_by{}; // scopes with which the tool shows more of the same records

    [[nodiscard]] parameter const* find(std::string_view parameter_name) const noexcept;
    [[nodiscard]] bool is_list() const noexcept { return find("limit") != nullptr; }
    [[nodiscard]] bool is_for(caller who) const noexcept { return by == caller::both || by == who; }
};

inline constexpr std::int64_t default_list_limit = 50;
inline constexpr std::int64_t assistant_list_limit = 20; // a page stands in an assistant's context as a whole
inline constexpr std::int64_t longest_list_limit = 200;  // the endpoints'

[[nodiscard]] std::span<tool const> catalogue() noexcept;
/// What the tool list_api_keys reads, which no endpoint does: a page of keys (api_keys.cpp).
[[nodiscard]] result<prepared_read> list_api_keys(bind_input& in);
/// nullptr: there is none of that name for this caller.
[[nodiscard]] tool const* find_tool(std::string_view name, caller who = caller::agent) noexcept;
/// What a call may have read under: the tool's own scope and those that widen it, in a role that is shown every record.
[[nodiscard]] auth::access access_of(tool const& which) noexcept;
/// What a call that succeeded has read under.
[[nodiscard]] auth::access reach_used(tool const& which, auth::principal const& principal) noexcept;
/// As they are offered to the agent's models, in the catalogue's order.
[[nodiscard]] std::span<tool_description const> descriptions();
/// JSON Schema of the tool's arguments: an object without further properties. default_limit: of a list.
[[nodiscard]] std::string schema_of(tool const& which, std::int64_t default_limit = default_list_limit);

} // namespace recruiting::auth_api::agent
