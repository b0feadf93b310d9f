#include "auth_api/agent/agent_settings.hpp"

#include "core/text.hpp"
#include "core/url.hpp"

namespace recruiting::auth_api::agent {
namespace {

using namespace std::chrono_literals;

void declare_model(settings_reader& reader, model_settings& target) {
    reader.text("RECRUITING_AGENT_MODEL_BASE_URL", target.base_url,
                "A server that speaks the OpenAI chat-completions protocol with tools, ending in /v1; empty: the "
                "built-in responder, which needs no model.");
    reader.text("RECRUITING_AGENT_MODEL", target.name, "The model's name on that server.");
    reader.text("RECRUITING_AGENT_MODEL_API_KEY", target.api_key, "Sent to that server as a bearer token.");
    reader.hide_last();
    reader.secret_file("RECRUITING_AGENT_MODEL_API_KEY_FILE", target.api_key, 1, "The same, from a file.");
    reader.certificates_file("RECRUITING_AGENT_MODEL_CA_FILE", target.ca_file,
                             "Certificates (PEM) that vouch for that server's; empty: the system's.");
    reader.text("RECRUITING_AGENT_MODEL_PROXY", target.proxy, "HTTP proxy on the way to that server.");
    reader.hide_last(); // libcurl takes user:password@host too
    reader.flag("RECRUITING_AGENT_MODEL_TRACE", target.propagates_trace,
                "Send that server a traceparent, so that its spans join ours: for servers of one's own.");
    reader.number("RECRUITING_AGENT_MODEL_CONTEXT_TOKENS", target.context_tokens, 2'048, 10'000'000,
                  "What the model can read at once; a session's history is trimmed to it.");
    reader.number("RECRUITING_AGENT_MODEL_RESPONSE_TOKENS", target.response_tokens, 16, 1'000'000,
                  "The longest answer asked of the model.");
    reader.number("RECRUITING_AGENT_MODEL_RESPONSE_LIMIT", target.response_limit, 1'024, 1024 * 1024 * 1024,
                  "Largest answer taken from the model server, in bytes.");
    reader.number("RECRUITING_AGENT_MODEL_RETRIES", target.retries, 0, 10,
                  "How often a call is repeated after a failed connect, 429 or 503.");
    reader.number("RECRUITING_AGENT_BREAKER_FAILURES", target.breaker_failures, 1, 1'000,
                  "Calls failed in a row after which no run begins for a while.");
    reader.duration("RECRUITING_AGENT_BREAKER_PAUSE", target.breaker_pause, 100ms, 1h,
                    "For how long; then one call is tried.");
    reader.duration("RECRUITING_AGENT_MODEL_CONNECT_TIMEOUT", target.connect_timeout, 10ms, 5min,
                    "How long connecting to the model server may take.");
    reader.duration("RECRUITING_AGENT_MODEL_CALL_TIMEOUT", target.call_timeout, 100ms, 1h,
                    "How long one answer of the model may take.");
}

std::optional<std::string> model_server_problem(model_settings const& model) {
    if (model.base_url.empty()) return std::nullopt;
    if (auto const problem = base_url_problem(model.base_url)) return "RECRUITING_AGENT_MODEL_BASE_URL " + *problem;
    if (!is_printable_ascii(model.api_key)) return "RECRUITING_AGENT_MODEL_API_KEY must be printable ASCII";
    if (model.response_tokens >= model.context_tokens)
        return "RECRUITING_AGENT_MODEL_RESPONSE_TOKENS must be less than RECRUITING_AGENT_MODEL_CONTEXT_TOKENS";
    return std::nullopt;
}

} // namespace

void declare(settings_reader& reader, agent_settings& target) {
    reader.owns("RECRUITING_AGENT_");
    declare_model(reader, target.model);
    reader.number("RECRUITING_AGENT_PROMPT_LIMIT", target.prompt_limit, 1, 1'000'000, "Longest prompt, in characters.");
    reader.number("RECRUITING_AGENT_ROUND_LIMIT", target.round_limit, 1, 100, "Calls of the model in one run.");
    reader.number("RECRUITING_AGENT_TOOL_CALL_LIMIT", target.tool_call_limit, 1, 1'000, "Calls of tools in one run.");
    reader.number("RECRUITING_AGENT_TOOL_RESULT_LIMIT", target.tool_result_limit, 1'024, 16 * 1024 * 1024,
                  "Largest result of a tool, in bytes; a longer one is cut, and the model is told.");
    reader.duration("RECRUITING_AGENT_TOOL_PATIENCE", target.tool_patience, 0ms, 10min,
                    "How long a tool waits for PostgreSQL to come back; then its run fails.");
    reader.number("RECRUITING_AGENT_RUNS_PER_ORGANIZATION", target.runs_per_organization, 1, 100'000,
                  "Runs of one organization at the same time; more are answered 429.");
    reader.number("RECRUITING_AGENT_RUNS_PER_PROCESS", target.runs_per_process, 1, 100'000,
                  "Runs of one process at the same time; more are answered 503.");
    reader.duration("RECRUITING_AGENT_RUN_TIMEOUT", target.run_timeout, 100ms, 1h, "How long one run may take.");
    reader.duration("RECRUITING_AGENT_LEASE", target.lease, 200ms, 1h,
                    "How long a run belongs to its process without a heartbeat; then it has failed.");
    reader.duration("RECRUITING_AGENT_HEARTBEAT", target.heartbeat, 20ms, 10min,
                    "How often a process renews the leases of its runs.");
    reader.duration("RECRUITING_AGENT_REAP_INTERVAL", target.reap_interval, 20ms, 10min,
                    "How often runs whose lease ran out are looked for.");
    reader.duration("RECRUITING_AGENT_DRAIN_TIMEOUT", target.drain_timeout, 0ms, 1h,
                    "After SIGTERM runs may go on for so long, then they fail; "
                    "RECRUITING_AUTH_API_DRAIN_TIMEOUT if that is shorter.");
    reader.rule([&target]() -> std::optional<std::string> {
        if (target.heartbeat * 2 <= target.lease) return std::nullopt;
        return "RECRUITING_AGENT_HEARTBEAT must be at most half of RECRUITING_AGENT_LEASE";
    });
    reader.rule([&target]() -> std::optional<std::string> {
        if (target.model.base_url.empty() || !target.model.name.empty()) return std::nullopt;
        return "RECRUITING_AGENT_MODEL must name the model when RECRUITING_AGENT_MODEL_BASE_URL is set";
    });
    reader.rule([&target] { return model_server_problem(target.model); });
}

} // namespace recruiting::auth_api::agent
