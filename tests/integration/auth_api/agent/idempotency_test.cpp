// The rows of the specification's state table for a repeated Idempotency-Key, across two processes on one database
// (proto-docs/agent.md).
#include "integration/auth_api/agent/system.hpp"
#include "support/catch.hpp"

#include <future>
#include <set>
#include <vector>

namespace idempotency_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

// What a replay differs in from the first answer.
std::string as_replay(std::string body) {
    std::string const first = R"("idempotentReplay":false)";
    auto const at = body.find(first);
    REQUIRE(at != std::string::npos);
    return body.replace(at, first.size(), R"("idempotentReplay":true)");
}

std::size_t count_of(std::vector<agent_answer> const& answers, std::string const& state) {
    return static_cast<std::size_t>(
        std::count_if(answers.begin(), answers.end(), [&](agent_answer const& one) { return one.state == state; }));
}

} // namespace

TEST_CASE("of fifty calls at the same time with one key exactly one runs", "[agent_idempotency]") {
    agent_system system;
    held_model model(system.model);
    constexpr std::size_t callers = 50;
    std::atomic<std::size_t> answered{0};
    std::vector<std::future<agent_answer>> calls;
    for (std::size_t i = 0; i < callers; ++i)
        calls.push_back(std::async(std::launch::async, [&, i] {
            auto answer = system.invoke(i % 2 == 0 ? *system.first : *system.second, "How are you?", "one");
            ++answered;
            return answer;
        }));
    REQUIRE(eventually([&] { return answered == callers - 1; }));
    model.release();
    std::vector<agent_answer> answers;
    for (auto& call : calls) answers.push_back(call.get());

    REQUIRE(count_of(answers, "completed") == 1);
    REQUIRE(count_of(answers, "in_progress") == callers - 1);
    std::set<std::string> sessions;
    for (auto const& answer : answers) {
        REQUIRE(answer.status == 200);
        sessions.insert(answer.session_id);
        REQUIRE(answer.replay == (answer.state == "in_progress"));
        REQUIRE(answer.reply.has_value() == (answer.state == "completed"));
        REQUIRE(answer.raw.header("retry-after") == (answer.state == "in_progress" ? "2" : ""));
        REQUIRE_FALSE(answer.error);
        REQUIRE_FALSE(answer.failed_correlation_id);
    }
    REQUIRE(sessions.size() == 1);
    REQUIRE(system.runs() == "1");
    REQUIRE(system.model.requests().size() == 1);
    REQUIRE(system.value("SELECT count(*) FROM recruiting.agent_sessions") == "1");
    REQUIRE(system.value("SELECT count(*) FROM recruiting.usage_records") == "1");
}

TEST_CASE("a completed call is repeated byte for byte, by every process", "[agent_idempotency]") {
    agent_system system;
    system.model.answer(model_answer::text("Fine, \"thanks\".\nÄ\t\x01"));
    auto const original = system.invoke(*system.first, "How are you?", "one");
    REQUIRE(original.state == "completed");
    REQUIRE_FALSE(original.replay);
    REQUIRE(original.reply == "Fine, \"thanks\".\nÄ\t\x01");
    for (auto const* instance : {system.first.get(), system.second.get(), system.first.get()}) {
        auto const replay = system.invoke(*instance, "How are you?", "one");
        REQUIRE(replay.raw.body == as_replay(original.raw.body));
        REQUIRE(replay.raw.header("idempotency-mismatch").empty());
    }
    REQUIRE(system.runs() == "1");
    REQUIRE(system.model.requests().size() == 1);
}

TEST_CASE("a repeated call finds its run beside reads of other keys", "[agent_idempotency]") {
    agent_system system([](auth_api::settings& config) { config.agent.runs_per_process = 1; });
    auto const original = system.invoke(*system.first, "How are you?", "one");
    REQUIRE(original.state == "completed");
    auto const other_slug = new_slug();
    make_organization(system.database.owner(), other_slug);
    std::vector<std::string> const others{
        system.admin_key({"*"}),
        make_key(system.database.owner(), other_slug, "admin@" + other_slug + ".example", {"*"}).secret};
    held_model model(system.model); // no second run begins: what finds no run gets 503
    auto held = std::async(std::launch::async, [&] { return system.invoke(*system.first, "And you?", "two"); });
    REQUIRE(eventually([&] { return system.runs() == "2"; }));

    std::atomic<bool> done{false};
    std::vector<std::future<void>> readers;
    for (std::size_t i = 0; i < 8; ++i)
        readers.push_back(std::async(std::launch::async, [&, i] {
            while (!done) static_cast<void>(system.first->get("/me", others[i % others.size()]));
        }));
    std::size_t found = 0;
    constexpr std::size_t calls = 50;
    for (std::size_t i = 0; i < calls; ++i)
        if (system.invoke(*system.first, "How are you?", "one").raw.body == as_replay(original.raw.body)) ++found;
    done = true;
    readers.clear();
    model.release();
    CHECK(found == calls);
    CHECK(held.get().state == "completed");
}

TEST_CASE("a resumed session is told what was said before", "[agent_idempotency]") {
    agent_system system;
    auto const begun = system.invoke(*system.first, "Remember the word plum.", "one");
    auto const resumed = system.resume(begun.session_id, "Which word?");
    REQUIRE(resumed.session_id == begun.session_id);
    REQUIRE(resumed.state == "completed");
    REQUIRE(system.model.requests().at(1).body.find("Remember the word plum.") != std::string::npos);
    // The key still tells of the first invocation alone.
    REQUIRE(system.invoke(*system.first, "Remember the word plum.", "one").raw.body == as_replay(begun.raw.body));
}

} // namespace idempotency_test
