// The messages of the Model Context Protocol, as an HTTP request carries one: JSON-RPC 2.0 in the revisions 2026-07-28,
// where each request says its version, and 2025-11-25 and 2025-06-18, which begin with initialize. Nothing is kept
// between two of them. Pure.
#pragma once
#include "core/error.hpp"
#include "http/message.hpp"

#include <boost/json/object.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace recruiting::auth_api::mcp {

inline constexpr std::string_view newest_revision = "2026-07-28";

enum class method {
    unknown,
    notification,
    discover,
    initialize,
    ping,
    list_tools,
    call_tool,
    list_resources,
    list_resource_templates,
    read_resource,
    list_prompts,
    get_prompt,
};

struct message {
    method wanted{method::unknown};
    std::string_view name;      // of the method, a literal; "": unknown
    bool stateless{false};      // of a revision without initialize
    std::string id;             // JSON text; "": none was read
    std::string progress_token; // JSON text; "": none
    boost::json::object params;
};

/// What the protocol calls an error (JSON-RPC 2.0 section 5.1; Model Context Protocol, Basic: Error Codes).
struct protocol_error {
    int code{0};
    unsigned status{200}; // of the HTTP answer
    error_code ours{error_code::invalid_request};
    std::string text;
    std::string more{}; // further members of the error's data: JSON text
};
inline constexpr int parse_error = -32700;
inline constexpr int invalid_message = -32600;
inline constexpr int method_not_found = -32601;
inline constexpr int invalid_params = -32602;
inline constexpr int header_mismatch = -32020;
inline constexpr int unsupported_version = -32022;
inline constexpr int resource_not_found = -32002; // of the revisions with initialize

struct read_result {
    message asked; // as much as could be read
    std::optional<protocol_error> error;
};
/// The body's one message. In revision 2026-07-28 MCP-Protocol-Version, Mcp-Method and Mcp-Name must say what it says.
[[nodiscard]] read_result read_message(http::request const& req);

/// A member that is a string; "": there is none.
[[nodiscard]] std::string_view text_of(boost::json::object const& of, std::string_view name);

/// cross_site_request for an Origin that is neither the installation's nor that of a page on the client's own machine:
/// a page elsewhere reaches no server behind a rebound name (Streamable HTTP: Security). nullopt: there is none, or one
/// of these.
[[nodiscard]] std::optional<api_error> refuse_origin(http::request const& req, std::string_view public_url);

/// members: of the result, JSON text without braces.
[[nodiscard]] std::string result_text(message const& asked, std::string_view members);
[[nodiscard]] std::string error_text(message const& asked, protocol_error const& error, std::string_view request_id);

/// The members of initialize's result, and of server/discover's.
[[nodiscard]] std::string initialized(message const& asked);
[[nodiscard]] std::string discovered();

} // namespace recruiting::auth_api::mcp
