// GET /agent/sessions (proto-docs/agent.md).
#include "integration/auth_api/agent/sessions_harness.hpp"

namespace sessions_list_test {
using namespace recruiting;
using namespace recruiting::test;
using boost::json::value;
using titles = std::vector<std::string>;

TEST_CASE("a session's record has every member of the contract and no more", "[agent_sessions]") {
    agent_sessions_fixture f;
    auto const ana = f.member("ana", role::recruiter);
    auto const id = f.session(ana, "How many open jobs?");
    f.add_message(id, "user", "How many open jobs?");
    auto const sessions = f.data("", ana);
    REQUIRE(sessions.as_array().size() == 1);
    auto const& session = sessions.at(0).as_object();
    std::vector<std::string> names;
    for (auto const& member : session) names.emplace_back(member.key());
    CHECK(names == std::vector<std::string>{"id", "title", "status", "memberId", "credentialId", "runCount",
                                            "messageCount", "usage", "createdAt", "updatedAt", "lastRunAt"});
    CHECK(session.at("id") == value(id));
    CHECK(session.at("title") == "How many open jobs?");
    CHECK(session.at("status") == "completed");
    CHECK(session.at("memberId") == value(ana.member_id));
    CHECK(session.at("credentialId") == value(ana.credential_id));
    CHECK(session.at("runCount") == 1);
    CHECK(session.at("messageCount") == 1);
    CHECK(session.at("usage") == boost::json::parse(R"({"inputTokens":70,"outputTokens":7})"));
}

TEST_CASE("a run whose lease ran out reads as failed in the list and its filter", "[agent_sessions]") {
    agent_sessions_fixture f;
    auto const ana = f.member("ana", role::recruiter);
    f.session(ana, "answered");
    f.session(ana, "broken", {.status = "failed"});
    f.session(ana, "running", {.status = "in_progress"});
    f.session(ana, "killed", {.status = "in_progress", .lease = "-1 second"});
    CHECK(f.titles("?status=completed", ana) == titles{"answered"});
    CHECK(f.titles("?status=in_progress", ana) == titles{"running"});
    CHECK(f.titles("?status=failed&sort=title", ana) == titles{"broken", "killed"});
    auto const sessions = f.data("?sort=title", ana);
    std::vector<std::string> statuses;
    for (auto const& session : sessions.as_array()) statuses.emplace_back(session.at("status").as_string());
    CHECK(statuses == std::vector<std::string>{"completed", "failed", "failed", "in_progress"});
    f.owner().script("UPDATE recruiting.agent_runs SET lease_expires_at = now() - interval '1 second' "
                     "WHERE status = 'in_progress'");
    CHECK(f.titles("?status=in_progress", ana).empty());
    CHECK(f.titles("?status=failed&sort=title", ana) == titles{"broken", "killed", "running"});
}

} // namespace sessions_list_test
