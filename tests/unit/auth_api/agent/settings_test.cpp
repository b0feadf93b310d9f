// What is told at the start when a model server is set wrong.
#include "auth_api/agent/agent_settings.hpp"
#include "support/catch.hpp"

namespace settings_test {
using namespace recruiting;
using namespace recruiting::auth_api::agent;

namespace {

std::string problem(std::map<std::string, std::string> values) {
    agent_settings target;
    settings_reader reader("program", "what it is", "RECRUITING_AGENT_");
    declare(reader, target);
    values.emplace("RECRUITING_AGENT_MODEL", "small");
    auto const problems = reader.apply(values);
    return problems.empty() ? "" : problems.front();
}

std::string const url = "RECRUITING_AGENT_MODEL_BASE_URL";

} // namespace

TEST_CASE("a model server that can't be called is a settings error", "[agent][settings]") {
    CHECK(problem({}).empty());
    CHECK(problem({{url, "http://127.0.0.1:11434/v1"}}).empty());
    CHECK(problem({{url, "127.0.0.1:11434/v1"}}) == url + " must begin with http:// or https://");
    CHECK(problem({{url, "ftp://models.example"}}) == url + " must begin with http:// or https://");
    CHECK(problem({{url, "https://h/v1"}, {"RECRUITING_AGENT_MODEL_API_KEY", "a\nb"}}) ==
          "RECRUITING_AGENT_MODEL_API_KEY must be printable ASCII");
    CHECK(problem({{url, "https://h/v1"}, {"RECRUITING_AGENT_MODEL_CA_FILE", "/none.pem"}}) ==
          "RECRUITING_AGENT_MODEL_CA_FILE can't read /none.pem: No such file or directory");
    CHECK(problem({{url, "https://h/v1"}, {"RECRUITING_AGENT_MODEL_RESPONSE_TOKENS", "16384"}}) ==
          "RECRUITING_AGENT_MODEL_RESPONSE_TOKENS must be less than RECRUITING_AGENT_MODEL_CONTEXT_TOKENS");
    CHECK(problem({{"RECRUITING_AGENT_MODEL_CA_FILE", "/"}}) ==
          "RECRUITING_AGENT_MODEL_CA_FILE can't read /: it is a folder");
}

} // namespace settings_test
