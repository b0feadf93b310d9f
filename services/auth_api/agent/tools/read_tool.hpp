// The toolbox of auth-api (api_tools.cpp): the catalogue's tools on a thread's connections, one per thread; what its
// tools share; and the tools that read: what a model gave as its arguments, which is untrusted text, is read as a
// request of the tool's endpoint, whose code runs.
#pragma once
#include "audit/batcher.hpp"
#include "auth_api/agent/agent_settings.hpp"
#include "auth_api/agent/toolbox.hpp"
#include "auth_api/agent/tools/catalogue.hpp"
#include "auth_api/http/read.hpp"
#include "telemetry/metrics.hpp"

#include <boost/json/object.hpp>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace recruiting::auth_api::agent {

struct tool_dependencies {
    read_connections reads;
    http::token_signer const& signer;
    pg::pipeline& changes; // for statements that wait for locks: no read is behind them
    audit::batcher& audit;
    agent_settings const& settings;
    metrics::registry& metrics;
};

/// How one attempt of a call ended.
struct tool_outcome {
    std::shared_ptr<auth::principal const> principal; // null: the credential is not known
    std::optional<api_error> error;
    std::string content; // when there is no error
    // A change that was refused is no error to the model, but none of its audit row's successes.
    unsigned status{200};
    std::string_view refusal{};
};

/// Everything given must outlive it and its calls.
[[nodiscard]] std::unique_ptr<toolbox> make_toolbox(tool_dependencies deps);

struct tool_input {
    std::map<std::string, std::string, std::less<>> values; // by parameter; those not given are missing

    [[nodiscard]] std::int64_t limit() const; // of a list; 0: not a number, which the endpoint refuses
    void set_limit(std::int64_t limit) { values.insert_or_assign("limit", std::to_string(limit)); }
};

/// JSON text of an object with the tool's parameters and no others. Numbers and booleans may stand in quotes; null, and
/// an empty text where one may be left out, count as not given. All problems are reported together, and none throws.
[[nodiscard]] result<tool_input> read_arguments(tool const& which, std::string_view json);
/// The same of what was parsed already. default_limit: of a list without one.
[[nodiscard]] result<tool_input> read_arguments(tool const& which, boost::json::object const& given,
                                                std::int64_t default_limit);

/// The request of the endpoint that the input means.
struct tool_request {
    http::path_params path_values;
    std::string path;  // "/api/v1/jobs/0190…"
    std::string query; // percent-encoded
};
[[nodiscard]] tool_request request_of(tool const& which, tool_input const& input);
/// What the tool's endpoint makes of it. Problems name arguments.
[[nodiscard]] result<prepared_read> bind_tool(http::token_signer const& signer, tool const& which,
                                              tool_request const& asked);

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
