// The agent's model over a real socket: whatever its server does, a call ends in bounded time and says what happened.
#include "integration/auth_api/agent/model_harness.hpp"
#include "support/tls_certificates.hpp"

#include <boost/json/parse.hpp>

namespace model_test {
using namespace recruiting;
using namespace recruiting::test;
using namespace recruiting::auth_api::agent;
using namespace std::chrono_literals;

namespace {

std::string outcome_of(model_answer const& how) {
    model_double server;
    server.answer(how);
    model_caller here(server);
    return here.outcome();
}

} // namespace

TEST_CASE("a conversation goes to the server and its answer comes back", "[agent_model]") {
    model_double server;
    server.answer({model_answer::call("list_jobs", R"({"status":"open"})"), model_answer::text("Four.")});
    auto config = settings_for(server.base_url() + "/");
    config.api_key = "sk-secret";
    model_caller here(config);
    here.tools = {{"list_jobs", "Lists jobs.", R"({"type":"object"})"}};
    auto const first = std::get<model_reply>(here.complete());
    REQUIRE(first.tool_calls.size() == 1);
    CHECK(first.tool_calls.front().name == "list_jobs");
    here.messages.push_back({message_role::assistant, "", first.tool_calls, {}, {}});
    here.messages.push_back(
        {message_role::tool, R"({"data":[1,2,3,4]})", {}, first.tool_calls.front().id, "list_jobs"});
    auto const second = std::get<model_reply>(here.complete_all(0));
    CHECK(second.content == "Four.");
    CHECK(second.usage == token_usage{10, 5});

    REQUIRE(server.requests().size() == 2);
    auto const seen = server.requests().back();
    CHECK(seen.has("\r\nAuthorization: Bearer sk-secret\r\n"));
    auto const body = boost::json::parse(seen.body);
    CHECK(body.at("model") == "double");
    auto const& said = body.at("messages").as_array();
    REQUIRE(said.size() == 4);
    CHECK(said[0].at("role") == "system");
    std::string const result(said[3].at("content").as_string());
    auto const fence = result.substr(0, result.find('\n'));
    CHECK(fence.size() == 8 + 32);
    CHECK(std::string(said[0].at("content").as_string()).find("\"" + fence + "\"") != std::string::npos);
    CHECK(boost::json::parse(server.requests().front().body).at("messages").at(0) == said[0]); // readable from a cache
    CHECK(here.counted(R"(recruiting_agent_model_calls_total{outcome="answered"} 2)"));
    CHECK(here.counted(R"(recruiting_agent_model_tokens_total{kind="input"} 20)"));
    CHECK(server.connections() == 1);
}

TEST_CASE("what a server does wrong fails the call, each in its way", "[agent_model]") {
    CHECK(outcome_of(model_answer::error(500)) == "bad answer: status 500");
    CHECK(outcome_of(model_answer::error(400)) == "bad answer: status 400");
    CHECK(outcome_of({"<html>Sign in</html>", 200, "", "text/html"}) == "bad answer: not JSON");
    CHECK(outcome_of({R"({"choices":[{"mess)"}) == "bad answer: not JSON");
    CHECK(outcome_of({R"({"error":{"message":"no"}})"}) == "bad answer: an error instead of a response");
    CHECK(outcome_of({"", 302, "Location: http://127.0.0.1:1/\r\n"}) == "bad answer: status 302");
    auto large = model_answer::text("x");
    large.padding = 100 * 1024 * 1024;
    CHECK(outcome_of(large) == "bad answer: response too large");
    auto cut = model_answer::text("x");
    cut.closes_after = 20;
    CHECK(outcome_of(cut) == "unavailable: connection lost");
    model_answer silent;
    silent.closes_unanswered = true;
    CHECK(outcome_of(silent) == "unavailable: connection lost");
    auto chunked = model_answer::text("x");
    chunked.chunked = true;
    CHECK(outcome_of(chunked) == "answered");
}

TEST_CASE("a server that is slow in any way is waited for no longer than allowed", "[agent_model]") {
    model_double server;
    auto config = settings_for(server.base_url());
    config.call_timeout = 300ms;
    model_caller here(config);
    model_answer how;
    how.hangs = true;
    server.answer(how);
    CHECK(here.outcome() == "timed out: timed out");
    how = model_answer::text(std::string(5'000, 'x'));
    how.drip = 5ms;
    server.answer(how);
    CHECK(here.outcome() == "timed out: timed out");

    config.call_timeout = 20s;
    model_caller patient(config);
    how.drip = 0ms;
    how.hangs = true;
    server.answer(how);
    CHECK(patient.outcome(300ms) == "timed out: timed out"); // the run's own deadline
    CHECK(patient.outcome(-1s) == "timed out: timed out");
    CHECK(here.counted(R"(recruiting_agent_model_calls_total{outcome="timed_out"} 2)"));
}

TEST_CASE("429 and 503 are tried again, in the time there is", "[agent_model]") {
    model_double server;
    model_caller here(server);
    server.answer({model_answer::error(503), model_answer::error(429), model_answer::text("Fine.")});
    CHECK(here.outcome() == "answered");
    CHECK(server.requests().size() == 3);
    CHECK(here.counted("recruiting_agent_model_retries_total 2"));

    server.answer({model_answer::error(429, "Retry-After: 1\r\n"), model_answer::text("Fine.")});
    auto const begun = coarse_clock::now();
    CHECK(here.outcome() == "answered");
    CHECK(coarse_clock::now() - begun >= 1s);

    server.answer(model_answer::error(429, "Retry-After: 3600\r\n"));
    CHECK(here.outcome() == "unavailable: status 429");
    CHECK(server.requests().size() == 6);
    server.answer(model_answer::error(503));
    CHECK(here.outcome() == "unavailable: status 503");
    CHECK(server.requests().size() == 9); // two retries
    server.answer(model_answer::error(500));
    CHECK(here.outcome() == "bad answer: status 500");
    CHECK(server.requests().size() == 10);
}

TEST_CASE("a call is cancelled while it waits for an answer or for the next try", "[agent_model]") {
    model_double server;
    model_answer how;
    how.hangs = true;
    SECTION("for an answer") {}
    SECTION("for the next try") { how = model_answer::error(429, "Retry-After: 5\r\n"); }
    server.answer(how);
    model_caller here(server);
    auto const watch = [&]() -> task<void> {
        while (server.requests().empty()) co_await sleep_for(5ms);
        co_await sleep_for(20ms);
        here.cancel.request();
    };
    spawn(here.context, watch());
    CHECK(here.outcome() == "cancelled: cancelled");
    CHECK(here.outcome() == "cancelled: cancelled");
    CHECK(server.requests().size() == 1);
}

TEST_CASE("certificates of the server are verified", "[agent_model]") {
    certificate_authority authority;
    certificate_authority const unknown;
    model_double const server(authority.issue("model", {"IP:127.0.0.1"}));
    model_double const another(authority.issue("another", {"DNS:models.example"}));
    auto config = settings_for(server.base_url());
    config.ca_file = authority.file();
    CHECK(model_caller(config).outcome() == "answered");
    config.ca_file = unknown.file();
    CHECK(model_caller(config).outcome() == "unavailable: TLS failed");
    config.ca_file = authority.file();
    config.base_url = another.base_url();
    CHECK(model_caller(config).check() == "unavailable: TLS failed");
    CHECK(server.requests().size() == 1);
}

TEST_CASE("before a run the server is asked whether it is there, unless it just answered", "[agent_model]") {
    model_double server;
    model_caller here(server);
    CHECK(here.check() == "there");
    CHECK(here.check() == "there");
    CHECK(server.models_requests() == 2);
    CHECK(here.outcome() == "answered");
    CHECK(here.check() == "there");
    CHECK(server.models_requests() == 2);

    model_caller other(server);
    for (unsigned const status : {401U, 404U, 500U}) {
        server.answer_models(model_answer::error(status));
        CHECK(other.check() == "there");
    }
    for (unsigned const status : {429U, 502U, 503U, 504U}) {
        server.answer_models(model_answer::error(status));
        CHECK(other.check() == "unavailable: status " + std::to_string(status));
    }
    auto config = settings_for(server.base_url());
    config.connect_timeout = 200ms;
    model_answer hangs;
    hangs.hangs = true;
    server.answer_models(hangs);
    CHECK(model_caller(config).check() == "unavailable: timed out");
}

TEST_CASE("after a call that failed the server is asked again before a run, and after it is back everything goes on",
          "[agent_model]") {
    auto server = std::make_unique<model_double>();
    auto config = settings_for(server->base_url());
    config.retries = 0;
    model_caller here(config);
    CHECK(here.outcome() == "answered");
    server->answer(model_answer::error(500));
    CHECK(here.outcome() == "bad answer: status 500");
    CHECK(here.check() == "there");
    CHECK(server->models_requests() == 1);

    server->answer_models(model_answer::error(503));
    CHECK(here.check() == "unavailable: status 503");
    CHECK(here.counted(R"(recruiting_agent_model_calls_total{outcome="unavailable"} 1)"));
    server->answer_models(model_answer{R"({"object":"list","data":[]})"});
    server->answer(model_answer::text("Fine."));
    CHECK(here.check() == "there");
    CHECK(here.outcome() == "answered");

    server.reset();
    CHECK(here.outcome() == "unavailable: connect failed");
    CHECK(here.check() == "unavailable: connect failed");
    CHECK(here.counted(R"(recruiting_agent_model_calls_total{outcome="unavailable"} 3)"));
}

TEST_CASE("a long history is sent as far as it fits", "[agent_model]") {
    model_double server;
    auto config = settings_for(server.base_url());
    config.context_tokens = 4'096;
    config.response_tokens = 1'024;
    model_caller here(config);
    for (int i = 0; i < 50; ++i) {
        here.messages.push_back(
            {message_role::user, "question " + std::to_string(i) + std::string(200, '.'), {}, {}, {}});
        here.messages.push_back({message_role::assistant, std::string(200, '.'), {}, {}, {}});
    }
    here.messages.push_back({message_role::user, "now", {}, {}, {}});
    auto const result = here.complete_all(100);
    CHECK(std::holds_alternative<model_reply>(result));
    auto const body = server.requests().front().body;
    CHECK(body.size() < std::size_t{3} * (4'096 - 1'024) + 2'000);
    auto const asked = boost::json::parse(body);
    auto const& said = asked.at("messages").as_array();
    CHECK(said.size() > 5);
    CHECK(said.size() < 40);
    CHECK(said[1].at("role") == "user");
    CHECK(said.back().at("content") == "now");
}

TEST_CASE("without a server the built-in responder is the model", "[agent_model]") {
    model_settings const none;
    model_caller here(none);
    CHECK(here.check() == "there");
}

} // namespace model_test
