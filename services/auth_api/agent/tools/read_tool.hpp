// A tool that reads: what a model gave as its arguments, which is untrusted text, is read as a request of the tool's
// endpoint, whose code runs.
#pragma once
#include "auth_api/agent/toolbox.hpp"
#include "auth_api/agent/tools/catalogue.hpp"
#include "auth_api/agent/tools/tool_call.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace recruiting::auth_api::agent {

struct tool_input {
    std::map<std::string, std::string, std::less<>> values; // by parameter; those not given are missing

    [[nodiscard]] std::int64_t limit() const; // of a list; 0: not a number, which the endpoint refuses
    void set_limit(std::int64_t limit) { values.insert_or_assign("limit", std::to_string(limit)); }
};

/// JSON text of an object with the tool's parameters and no others. Numbers and booleans may stand in quotes; null, and
/// an empty text where one may be left out, count as not given. All problems are reported together, and none throws.
[[nodiscard]] result<tool_input> read_arguments(tool const& which, std::string_view json);

/// The request of the endpoint that the input means.
struct tool_request {
    http::path_params path_values;
    std::string path;  // "/api/v1/jobs/0190…"
    std::string query; // percent-encoded
};
[[nodiscard]] tool_request request_of(tool const& which, tool_input const& input);

/// A text that no endpoint reads: at most `longest` bytes, without NUL and without white space around it.
[[nodiscard]] result<std::string> text_argument(tool const& which, result<tool_input> const& input,
                                                std::string_view name, std::size_t longest);

/// An endpoint speaks of its query, a model of its arguments.
[[nodiscard]] api_error as_argument_error(api_error error);

/// Shortens a record that is too long to show a model; the result is always whole JSON:
/// {"truncated":true, …} of at most `most` bytes (at least 256): the object `json` with its longest texts (ending in …)
/// and lists shortened as far as needed. Beside a shortened list, hasMore is true where the record has it.
[[nodiscard]] std::string truncate_record(std::string_view json, std::size_t most);

/// which: nullptr for a tool that does not exist; input then holds why. trace: of the call. Throws outage when
/// PostgreSQL is unavailable.
[[nodiscard]] task<tool_outcome> run_read_tool(tool_dependencies const& on, run_context const& run, tool const* which,
                                               result<tool_input> input, tracing::parent trace);

} // namespace recruiting::auth_api::agent
