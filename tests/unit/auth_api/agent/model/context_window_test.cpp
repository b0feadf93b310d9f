// Which part of a conversation fits a model's context.
#include "auth_api/agent/model/chat_completion.hpp"
#include "core/text.hpp"
#include "support/catch.hpp"

namespace context_window_test {
using namespace recruiting;
using namespace recruiting::auth_api::agent;

namespace {

message user(std::string text) { return {message_role::user, std::move(text), {}, {}, {}}; }
message assistant(std::string text, std::vector<tool_call> calls = {}) {
    return {message_role::assistant, std::move(text), std::move(calls), {}, {}};
}
message result(std::string id, std::string text) {
    return {message_role::tool, std::move(text), {}, std::move(id), "f"};
}
tool_call call(std::string id) { return {std::move(id), "f", "{}"}; }

std::int64_t total(std::vector<message> const& messages) {
    std::int64_t sum = 0;
    for (auto const& one : messages) sum += estimate_tokens(one);
    return sum;
}

std::vector<message> const two_turns_and_now{
    user("first"),
    assistant("", {call("a")}),
    result("a", std::string(300, 'x')),
    assistant("one"),
    user("second"),
    assistant("two"),
    user("now"),
};
constexpr std::size_t two_turns = 6;

std::vector<message> tail(std::vector<message> const& of, std::size_t from) {
    return {of.begin() + static_cast<std::ptrdiff_t>(from), of.end()};
}

} // namespace

TEST_CASE("tokens are estimated on the safe side", "[agent][context]") {
    CHECK(estimate_tokens(std::size_t{0}) == 0);
    CHECK(estimate_tokens(std::size_t{1}) == 1);
    CHECK(estimate_tokens(std::size_t{6}) == 2);
    CHECK(estimate_tokens(user("123456")) == 10);
    CHECK(estimate_tokens(result("a", "12345")) > estimate_tokens(user("123456")));
    CHECK(estimate_tokens(assistant("", {call("a")})) > estimate_tokens(assistant("")));
}

TEST_CASE("what fits stays whole", "[agent][context]") {
    auto const& all = two_turns_and_now;
    CHECK(fit_context(all, two_turns, total(all)) == all);
    CHECK(fit_context({}, 0, 100).empty());
}

TEST_CASE("the oldest whole turns go first", "[agent][context]") {
    auto const& all = two_turns_and_now;
    CHECK(fit_context(all, two_turns, total(all) - 1) == tail(all, 4));
    CHECK(fit_context(all, two_turns, total(tail(all, 4))) == tail(all, 4));
    CHECK(fit_context(all, two_turns, total(tail(all, 4)) - 1) == tail(all, 6));
}

TEST_CASE("the current prompt stays even where nothing fits", "[agent][context]") {
    CHECK(fit_context(two_turns_and_now, two_turns, 0) == tail(two_turns_and_now, 6));
    CHECK(fit_context(two_turns_and_now, two_turns, -1'000) == tail(two_turns_and_now, 6));
}

TEST_CASE("then the oldest results of this run are cut, and say so", "[agent][context]") {
    std::vector<message> const all{
        user("now"),
        assistant("", {call("a"), call("b")}),
        result("a", std::string(3'000, 'x')),
        result("b", std::string(3'000, 'y')),
    };
    auto const whole = total(all);
    auto const some = fit_context(all, 0, whole - 100);
    CHECK(total(some) <= whole - 100);
    CHECK(some[2].content.size() == 2'700);
    CHECK(some[2].content.ends_with("Ask for less.]"));
    CHECK(some[3] == all[3]);

    auto const more = fit_context(all, 0, whole - 1'500);
    CHECK(total(more) <= whole - 1'500);
    CHECK(more[2].content.find('x') == std::string::npos);
    CHECK(more[2].content.ends_with("Ask for less.]"));
    CHECK(more[3].content.starts_with("yyy"));
    CHECK(more[3].content.size() < 3'000);

    auto const least = fit_context(all, 0, 0);
    CHECK(least.size() == 4);
    CHECK(least[3].content.find('y') == std::string::npos);
    CHECK(fit_context(least, 0, 0) == least); // there is nothing more to cut
}

TEST_CASE("a cut leaves whole characters", "[agent][context]") {
    std::string text;
    for (int i = 0; i < 500; ++i) text += "日";
    std::vector<message> const all{user("now"), assistant("", {call("a")}), result("a", text)};
    for (std::int64_t less = 1; less < 8; ++less) {
        auto const cut = fit_context(all, 0, total(all) - less);
        CHECK(is_utf8(cut[2].content));
        CHECK(total(cut) <= total(all) - less);
    }
    std::vector<message> const odd{user("now"), assistant("", {call("a")}), result("a", "12" + text)};
    CHECK(is_utf8(fit_context(odd, 0, total(odd) - 40)[2].content));
}

TEST_CASE("calls and results stand together or not at all", "[agent][context]") {
    std::vector<message> const all{
        result("z", "of no call"),
        user("before"),
        assistant("I look.", {call("a"), call("b")}),
        result("a", "one"),
        result("c", "of another"),
        assistant("", {call("d")}),
        user("now"),
    };
    CHECK(fit_context(all, 6, 10'000) ==
          std::vector<message>{user("before"), assistant("I look.", {call("a")}), result("a", "one"), user("now")});
}

} // namespace context_window_test
