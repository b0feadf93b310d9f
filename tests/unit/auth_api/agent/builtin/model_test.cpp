// The built-in responder as a model; and that the tools take the arguments it gives them.
#include "auth_api/agent/builtin/builtin_model.hpp"
#include "auth_api/agent/tools/catalogue.hpp"
#include "auth_api/agent/tools/read_tool.hpp"
#include "support/catch.hpp"
#include "unit/auth_api/agent/builtin/records.hpp"

#include <boost/asio/co_spawn.hpp>

namespace model_test {
using namespace recruiting;
namespace agent = auth_api::agent;

namespace {

template <class T>
T run(asio::io_context& context, task<T> work) {
    std::optional<T> out;
    std::exception_ptr failed;
    asio::co_spawn(context.get_executor(), std::move(work), [&](std::exception_ptr why, T value) {
        failed = std::move(why);
        out = std::move(value);
    });
    context.run();
    context.restart();
    if (failed) std::rethrow_exception(failed);
    return std::move(*out);
}

struct asked {
    std::vector<agent::message> messages{{agent::message_role::user, "Which jobs are open?", {}, {}, {}}};
    agent::cancellation cancel;
    timestamp started_at = test::builtin_now();
    [[nodiscard]] agent::model_request request() {
        return {messages, 0, test::builtin_tools, coarse_clock::time_point::max(), cancel, started_at};
    }
};

} // namespace

TEST_CASE("the built-in model answers without a server", "[builtin]") {
    asio::io_context context;
    auto const model = agent::make_builtin_model(context);
    CHECK(model->name() == "builtin");
    CHECK_FALSE(run(context, model->check()).has_value());
    asked question;
    auto const request = question.request();
    auto const answer = run(context, model->complete(request));
    auto const& said = std::get<agent::model_reply>(answer);
    REQUIRE(said.tool_calls.size() == 1);
    CHECK(said.tool_calls[0].name == "list_jobs");
    CHECK_FALSE(said.tool_calls[0].id.empty());
    CHECK(said.usage == agent::token_usage{});
}

TEST_CASE("all rounds of a run count from the run's start", "[builtin]") {
    asio::io_context context;
    auto const model = agent::make_builtin_model(context);
    asked question;
    question.messages.front().content = "Show the audit log of today";
    auto const first_request = question.request();
    auto const first = run(context, model->complete(first_request));
    auto const& call = std::get<agent::model_reply>(first).tool_calls.at(0);
    CHECK(call.arguments.find("2026-03-18T00:00:00") != std::string::npos);
    question.messages.push_back({agent::message_role::assistant, {}, {call}, {}, {}});
    question.messages.push_back({agent::message_role::tool, test::one_page(""), {}, call.id, call.name});
    auto const second_request = question.request();
    auto const second = run(context, model->complete(second_request));
    CHECK(std::get<agent::model_reply>(second).tool_calls.empty());
    CHECK(std::get<agent::model_reply>(second).content.starts_with("The audit log has no such entries today"));
}

TEST_CASE("the built-in model gives up when the run is cancelled", "[builtin]") {
    asio::io_context context;
    auto const model = agent::make_builtin_model(context);
    asked question;
    question.cancel.request();
    auto const request = question.request();
    auto const answer = run(context, model->complete(request));
    CHECK(std::get<agent::model_failure>(answer).why == agent::model_failure::kind::cancelled);
}

TEST_CASE("the tools take the responder's arguments", "[builtin]") {
    for (std::string_view const prompt :
         {"which open jobs are published?", "describe the job Backend Engineer", "list rejected candidates",
          "find anna@example.com", "find Anna Schmidt", "who are the admins?",
          "who is in the pipeline of Backend Engineer?", "what did Ada do yesterday?", "which requests failed today?",
          "who revoked a key?", "list revoked keys", "revoke the key warehouse-sync", "what plan are we on?",
          "what is our time zone?", "how many candidates do we have?"}) {
        for (auto const& call : test::play(prompt, test::acme()).calls) {
            CAPTURE(call);
            auto const space = call.find(' ');
            auto const* const tool = agent::find_tool(call.substr(0, space));
            REQUIRE(tool != nullptr);
            CHECK(agent::read_arguments(*tool, call.substr(space + 1)).has_value());
        }
    }
}

} // namespace model_test
