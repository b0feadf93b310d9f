// Several values of one filter, separated by commas (proto-docs/lists.md).
#include "http/query.hpp"
#include "support/catch.hpp"

namespace value_list_test {
using namespace recruiting;
using namespace recruiting::http;

namespace {

std::string problem_of(query_reader& query) {
    auto const problems = query.take_problems();
    return problems.empty() ? std::string() : problems[0].field + " " + problems[0].reason + ": " + problems[0].message;
}

std::optional<value_list> statuses(std::string const& text, std::string& problem) {
    query_reader query("status=" + text);
    auto values = read_choices(query, "status", {"open", "on_hold", "closed"});
    problem = problem_of(query);
    return values;
}

} // namespace

TEST_CASE("several values in status and its like: each once, in any order", "[http][values]") {
    std::string problem;
    CHECK(statuses("open", problem) == value_list{"open"});
    CHECK(statuses("open,on_hold", problem) == value_list{"on_hold", "open"});
    CHECK(statuses("on_hold%2Copen,open", problem) == value_list{"on_hold", "open"});
    CHECK(problem.empty());
    query_reader none("limit=1");
    CHECK_FALSE(read_choices(none, "status", {"open"}));
    CHECK(problem_of(none).empty());
}

TEST_CASE("each value is checked, and 400 names the bad one", "[http][values][400]") {
    std::string problem;
    CHECK_FALSE(statuses("open,opne,shut", problem));
    CHECK(problem == R"(status unknown_value: "opne" is not one of open, on_hold, closed.)");
    CHECK_FALSE(statuses("open,", problem));
    CHECK(problem == R"(status unknown_value: "" is not one of open, on_hold, closed.)");
    CHECK_FALSE(statuses("open,%20closed", problem));
    CHECK(problem.starts_with(R"(status unknown_value: " closed" is)"));
    CHECK_FALSE(statuses("open,,closed", problem));
    CHECK_FALSE(statuses(std::string(4001, 'x'), problem));
    CHECK(problem.starts_with("status too_long"));
    CHECK_FALSE(statuses(std::string(3000, 'x'), problem));
    CHECK(problem.size() < 200); // a refusal does not repeat all that was sent
}

TEST_CASE("at most 64 values", "[http][values][400]") {
    std::string many = "open";
    for (int i = 1; i < 64; ++i) many += ",open";
    std::string problem;
    CHECK(statuses(many, problem) == value_list{"open"});
    CHECK_FALSE(statuses(many + ",open", problem));
    CHECK(problem == "status too_many: Must be at most 64 values.");
}

TEST_CASE("ids, numbers and words", "[http][values]") {
    query_reader query("jobId=0199c1a1c3d87f02b5a6e4d17c930f58,0099c1a1c3d87f02b5a6e4d17c930f58&stageId=x&"
                       "statusCode=404,401,404&code=99,200&action=key.created,api.request&endpoint=a,");
    CHECK(read_ids(query, "jobId") ==
          value_list{"0099c1a1c3d87f02b5a6e4d17c930f58", "0199c1a1c3d87f02b5a6e4d17c930f58"});
    CHECK_FALSE(read_ids(query, "stageId"));
    CHECK(read_integers(query, "statusCode", 100, 599) == value_list{"401", "404"});
    CHECK_FALSE(read_integers(query, "code", 100, 599));
    CHECK(read_words(query, "action") == value_list{"api.request", "key.created"});
    CHECK_FALSE(read_words(query, "endpoint"));
    std::vector<std::string> refused;
    for (auto const& problem : query.take_problems()) refused.push_back(problem.field + ":" + problem.reason);
    CHECK(refused == std::vector<std::string>{"stageId:invalid", "code:out_of_range", "endpoint:empty"});
}

} // namespace value_list_test
