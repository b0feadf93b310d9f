// The decisions of a run: what an invocation is told, the conversation within its limits, the lease, the history.
#include "auth_api/agent/run/leases.hpp"
#include "auth_api/agent/run/run.hpp"
#include "support/catch.hpp"

namespace run_test {
using namespace recruiting;
using namespace recruiting::auth_api::agent;

namespace {

run_record run_with(run_status status, bool lease_expired = false) {
    run_record run;
    run.id = random_id();
    run.status = status;
    run.lease_expired = lease_expired;
    return run;
}

found_state by_key(run_record run, auth::access used = {}) { return {std::move(run), false, used}; }
found_state of_session(std::optional<run_record> active_run, auth::access used = {}) {
    return {std::move(active_run), true, used};
}

model_reply text(std::string content, token_usage usage = {}) { return {std::move(content), {}, usage}; }

model_reply calls(int count, std::string content = {}) {
    model_reply reply{std::move(content), {}, {}};
    for (int i = 1; i <= count; ++i) reply.tool_calls.push_back({"call_" + std::to_string(i), "list_jobs", "{}"});
    return reply;
}

template <class Step>
Step const& as(next_step const& step) {
    REQUIRE(std::holds_alternative<Step>(step));
    return std::get<Step>(step);
}

std::string said_by(message const& what) {
    static constexpr std::array names = {"user", "assistant", "tool"};
    return std::string(names.at(static_cast<std::size_t>(what.from))) + ":" + what.content;
}

std::vector<std::string> transcript(std::span<message const> messages) {
    std::vector<std::string> out;
    for (auto const& entry : messages) out.push_back(said_by(entry));
    return out;
}

using texts = std::vector<std::string>;

} // namespace

TEST_CASE("what a run with the key says is the answer, the state table, row by row") {
    CHECK(decide(false, {}, {}) == invoke_action::begin);
    CHECK(decide(false, by_key(run_with(run_status::in_progress)), {}) == invoke_action::answer);
    CHECK(decide(false, by_key(run_with(run_status::completed)), {}) == invoke_action::answer);
    CHECK(decide(false, by_key(run_with(run_status::failed)), {}) == invoke_action::answer);
    CHECK(decide(false, by_key(run_with(run_status::in_progress, true)), {}) == invoke_action::fail_expired);
}

TEST_CASE("a session is resumed when it is the caller's and nothing goes on in it") {
    CHECK(decide(true, {}, {}) == invoke_action::not_found);
    CHECK(decide(true, of_session({}), {}) == invoke_action::begin);
    CHECK(decide(true, of_session(run_with(run_status::in_progress)), {}) == invoke_action::busy);
    CHECK(decide(true, of_session(run_with(run_status::in_progress, true)), {}) == invoke_action::fail_expired);
}

TEST_CASE("a reply and a session need the scopes that tools used, a run without a reply needs none") {
    auth::access const used{scope_set("0001010")};
    for (auto const status : {run_status::in_progress, run_status::completed, run_status::failed}) {
        auto const needed = status == run_status::completed ? invoke_action::beyond_access : invoke_action::answer;
        CHECK(decide(false, by_key(run_with(status), used), {scope_set("0000010")}) == needed);
        CHECK(decide(false, by_key(run_with(status), used), {scope_set("1001010")}) == invoke_action::answer);
    }
    CHECK(decide(true, of_session({}, used), {scope_set("1110101")}) == invoke_action::beyond_access);
    CHECK(decide(true, of_session(run_with(run_status::in_progress), used), {}) == invoke_action::beyond_access);
    CHECK(decide(true, of_session({}, used), used) == invoke_action::begin);
    CHECK(decide(true, {{}, false, used}, {}) == invoke_action::not_found);
}

TEST_CASE("a reply and a session are shown to no narrower role than tools read in") {
    auth::access const used{{}, role::recruiter};
    for (auto const held : {role::admin, role::recruiter}) {
        CHECK(decide(false, by_key(run_with(run_status::completed), used), {{}, held}) == invoke_action::answer);
        CHECK(decide(true, of_session({}, used), {{}, held}) == invoke_action::begin);
    }
    for (auto const held : {role::hiring_manager, role::viewer}) {
        CHECK(decide(false, by_key(run_with(run_status::completed), used), {{}, held}) == invoke_action::beyond_access);
        CHECK(decide(true, of_session({}, used), {{}, held}) == invoke_action::beyond_access);
        CHECK(decide(false, by_key(run_with(run_status::failed), used), {{}, held}) == invoke_action::answer);
    }
}

TEST_CASE("a run has used the scopes and the widest role of all its tools") {
    run_loop loop({}, "Jobs?", {});
    static_cast<void>(loop.start());
    static_cast<void>(loop.take_reply(calls(3)));
    static_cast<void>(loop.take_result("A", {scope_set("001"), role::recruiter}));
    static_cast<void>(loop.take_result("B"));
    static_cast<void>(loop.take_result("C", {scope_set("101")}));
    CHECK(loop.used().scopes == scope_set("101"));
    CHECK(loop.used().role == role::recruiter);
}

TEST_CASE("a run whose lease ran out is told as failed, written down or not") {
    CHECK(effective_status(run_with(run_status::in_progress)) == run_status::in_progress);
    CHECK(effective_status(run_with(run_status::in_progress, true)) == run_status::failed);
    CHECK(effective_status(run_with(run_status::completed, true)) == run_status::completed);
    CHECK(effective_status(run_with(run_status::failed)) == run_status::failed);
    for (auto const status : {run_status::in_progress, run_status::completed, run_status::failed})
        CHECK(parse_run_status(to_string(status)) == status);
    CHECK_THROWS_AS(parse_run_status("running"), std::logic_error);
}

TEST_CASE("a run without tools is one round") {
    run_loop loop({}, "Hello", {});
    CHECK(as<ask_model>(loop.start()).with_tools);
    CHECK(as<run_completed>(loop.take_reply(text("Hi", {10, 2}))).reply == "Hi");
    CHECK(transcript(loop.messages()) == texts{"user:Hello", "assistant:Hi"});
    CHECK(loop.usage() == token_usage{10, 2});
}

TEST_CASE("tool calls are made one after the other and answered in order, then the model is asked again") {
    run_loop loop({{message_role::user, "before", {}, {}, {}}, {message_role::assistant, "yes", {}, {}, {}}}, "Jobs?",
                  {});
    CHECK(loop.history() == 2);
    static_cast<void>(loop.start());
    CHECK(as<call_tool>(loop.take_reply(calls(2, "Let me look."))).wanted.id == "call_1");
    CHECK(as<call_tool>(loop.take_result("A")).wanted.id == "call_2");
    CHECK(as<ask_model>(loop.take_result("B")).with_tools);
    CHECK(as<run_completed>(loop.take_reply(text("Two."))).reply == "Two.");
    CHECK(transcript(loop.messages_from(loop.history())) ==
          texts{"user:Jobs?", "assistant:Let me look.", "tool:A", "tool:B", "assistant:Two."});
    CHECK(loop.messages()[4].tool_call_id == "call_1");
    CHECK(loop.messages()[4].tool_name == "list_jobs");
    CHECK(loop.tool_calls() == 2);
}

TEST_CASE("the last round offers no tools, a model that still calls one has failed") {
    run_loop loop({}, "Loop", {3, 32});
    CHECK(as<ask_model>(loop.start()).with_tools);
    static_cast<void>(loop.take_reply(calls(1)));
    CHECK(as<ask_model>(loop.take_result("1")).with_tools);
    static_cast<void>(loop.take_reply(calls(1)));
    CHECK_FALSE(as<ask_model>(loop.take_result("2")).with_tools);
    CHECK(as<run_failed>(loop.take_reply(calls(1))).why == failure::round_limit);
}

TEST_CASE("one round is all a limit of one leaves") {
    run_loop loop({}, "x", {1, 32});
    CHECK_FALSE(as<ask_model>(loop.start()).with_tools);
    CHECK(as<run_completed>(loop.take_reply(text("done"))).reply == "done");
}

TEST_CASE("tool calls past the limit get a result that says so, and the next round offers none") {
    run_loop loop({}, "Many", {8, 2});
    static_cast<void>(loop.start());
    static_cast<void>(loop.take_reply(calls(4)));
    static_cast<void>(loop.take_result("1"));
    CHECK_FALSE(as<ask_model>(loop.take_result("2")).with_tools);
    CHECK(loop.tool_calls() == 2);
    auto const last = loop.messages().back();
    CHECK(last.tool_call_id == "call_4");
    CHECK(last.content.find("rate_limited") != std::string::npos);
    CHECK(as<run_completed>(loop.take_reply(text("enough"))).reply == "enough");
}

TEST_CASE("a model that keeps calling tools past the limit ends by the rounds, whatever it says") {
    run_loop loop({}, "Forever", {4, 1});
    auto step = loop.start();
    int asked = 0;
    while (!std::holds_alternative<run_failed>(step)) {
        if (std::holds_alternative<ask_model>(step)) {
            ++asked;
            step = loop.take_reply(calls(3));
        } else {
            step = loop.take_result("x");
        }
    }
    CHECK(asked == 4);
    CHECK(loop.tool_calls() == 1);
}

TEST_CASE("an answer without text and without calls is no answer") {
    run_loop loop({}, "x", {});
    static_cast<void>(loop.start());
    CHECK(as<run_failed>(loop.take_reply(text(" \n"))).why == failure::empty_answer);
}

TEST_CASE("tool calls in the text fail the run, and their tokens count") {
    run_loop loop({}, "x", {});
    static_cast<void>(loop.start());
    CHECK(as<run_failed>(loop.take_reply({"", {}, {10, 5}, true})).why == failure::tool_parser_missing);
    CHECK(loop.usage() == token_usage{10, 5});
}

TEST_CASE("a lease is lost when PostgreSQL says so, or when nothing was heard for its length") {
    using std::chrono::seconds;
    lease_table table;
    auto const start = coarse_clock::now();
    auto const a = random_id(), b = random_id(), c = random_id();
    table.hold(a, start + seconds(30));
    table.hold(b, start + seconds(30));
    table.hold(c, start + seconds(40));
    auto const asked = table.runs();
    CHECK(asked.size() == 3);
    table.release(c); // ended while the renewal was under way
    renewal const answer{{a}, {a}};
    CHECK(table.renew(asked, answer, start + seconds(35)) == std::vector<uuid>{b});
    renewal const held_by_another{{a}, {}};
    CHECK(table.renew(table.runs(), held_by_another, start + seconds(99)).empty());
    CHECK_FALSE(table.is_over(a, start + seconds(34)));
    CHECK(table.is_over(a, start + seconds(35)));
    CHECK(table.is_over(b, start));
    CHECK(table.runs() == std::vector<uuid>{a});
    CHECK(table.expire(start + seconds(34)).empty());
    CHECK(table.expire(start + seconds(35)) == std::vector<uuid>{a});
    CHECK(table.runs().empty());
}

TEST_CASE("history: completed runs whole, of failed ones the prompt with a note") {
    auto const said = [](message_role from, std::string content, run_status of) {
        return stored_message{{from, std::move(content), {}, {}, {}}, of};
    };
    std::vector<stored_message> const stored = {
        said(message_role::tool, "cut off", run_status::completed),
        said(message_role::assistant, "cut", run_status::completed),
        said(message_role::user, "one", run_status::completed),
        said(message_role::assistant, "1", run_status::completed),
        said(message_role::user, "two", run_status::failed),
        said(message_role::assistant, "half", run_status::failed),
        said(message_role::tool, "left", run_status::failed),
        said(message_role::user, "three", run_status::completed),
        said(message_role::assistant, "look", run_status::completed),
        said(message_role::tool, "data", run_status::completed),
        said(message_role::assistant, "3", run_status::completed),
    };
    CHECK(transcript(history_of(stored)) == texts{"user:one", "assistant:1", "user:two",
                                                  "assistant:(This run did not complete; it may have had effects.)",
                                                  "user:three", "assistant:look", "tool:data", "assistant:3"});
    CHECK(history_of({}).empty());
}

TEST_CASE("tool calls are stored as they are shown, and read back") {
    std::vector<tool_call> const given = {{"call_1", "get_job", R"({"jobId":"a\"b"})"}, {"", "list_jobs", ""}};
    auto const json = tool_calls_json(given);
    CHECK(json == R"([{"id":"call_1","name":"get_job","arguments":"{\"jobId\":\"a\\\"b\"}"},)"
                  R"({"id":"","name":"list_jobs","arguments":""}])");
    CHECK(read_tool_calls(json) == given);
    CHECK(tool_calls_json({}).empty());
    CHECK(read_tool_calls("").empty());
    CHECK(read_tool_calls("{}").empty());
    CHECK(read_tool_calls(R"([1,{"id":2}])") == std::vector<tool_call>{tool_call{}});
}

} // namespace run_test
