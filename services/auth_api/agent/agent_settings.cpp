#include "auth_api/agent/agent_settings.hpp"

#include "core/text.hpp"
#include "core/url.hpp"

namespace recruiting::auth_api::agent {
namespace {

using namespace std::chrono_literals;

void declare_model(settings_reader& reader, model_settings& target) {
    reader.text("RECRUITING_AGENT_MODEL_BASE_URL", target.base_url,
                "Base URL, ending in /v1, of a model server with the OpenAI chat-completions protocol and tools; "
                "empty: the built-in responder, which needs no model.");
    reader.text("RECRUITING_AGENT_MODEL", target.name, "Name of the model on the model server.");
    reader.text("RECRUITING_AGENT_MODEL_API_KEY", target.api_key, "Bearer token for the model server.");
    reader.last_may_be_in_file();
    reader.certificates_file("RECRUITING_AGENT_MODEL_CA_FILE", target.ca_file,
                             "CA certificates (PEM) that verify the model server; empty: the system's.");
    reader.text("RECRUITING_AGENT_MODEL_PROXY", target.proxy, "HTTP proxy for requests to the model server.");
    reader.last_may_be_in_file();
    reader.number("RECRUITING_AGENT_MODEL_CONTEXT_TOKENS", target.context_tokens, 2'048, 10'000'000,
                  "Context size of the model in tokens; a session's history is trimmed to it.");
    reader.number("RECRUITING_AGENT_MODEL_RESPONSE_TOKENS", target.response_tokens, 16, 1'000'000,
                  "Maximum length of a reply requested from the model, in tokens.");
    reader.duration("RECRUITING_AGENT_MODEL_CALL_TIMEOUT", target.call_timeout, 100ms, 1h,
                    "Timeout of one call of the model.");
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
    reader.number("RECRUITING_AGENT_RUNS_PER_ORGANIZATION", target.runs_per_organization, 1, 100'000,
                  "Maximum concurrent runs per organization; further ones get 429.");
    reader.number("RECRUITING_AGENT_RUNS_PER_PROCESS", target.runs_per_process, 1, 100'000,
                  "Maximum concurrent runs per process; further ones get 503.");
    reader.duration("RECRUITING_AGENT_RUN_TIMEOUT", target.run_timeout, 100ms, 1h, "Maximum duration of a run.");
    reader.duration("RECRUITING_AGENT_LEASE", target.lease, 200ms, 1h,
                    "Time after which a run without a heartbeat of its process has failed.");
    reader.rule([&target]() -> std::optional<std::string> {
        if (target.model.base_url.empty() || !target.model.name.empty()) return std::nullopt;
        return "RECRUITING_AGENT_MODEL must name the model when RECRUITING_AGENT_MODEL_BASE_URL is set";
    });
    reader.rule([&target] { return model_server_problem(target.model); });
}

} // namespace recruiting::auth_api::agent
