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

TEST_CASE("recruiters and hiring managers list their own sessions, admins everybody's", "[agent_sessions]") {
    agent_sessions_fixture f;
    auto const admin = f.member("chief", role::admin);
    auto const ana = f.member("ana", role::recruiter);
    auto const ben = f.member("ben", role::hiring_manager);
    f.session(admin, "the chief's");
    f.session(ana, "Ana's");
    f.session(ben, "Ben's");
    CHECK(f.titles("?sort=title", admin) == titles{"Ana's", "Ben's", "the chief's"});
    CHECK(f.titles("", ana) == titles{"Ana's"});
    CHECK(f.titles("", ben) == titles{"Ben's"});
    CHECK(f.titles("?memberId=" + ben.member_id, admin) == titles{"Ben's"});
    CHECK(f.titles("?memberId=" + ben.member_id, ana).empty());
}

TEST_CASE("a demotion takes sessions away at once, a promotion gives them back", "[agent_sessions]") {
    agent_sessions_fixture f;
    auto const ana = f.member("ana", role::recruiter);
    auto const ben = f.member("ben", role::admin);
    f.session(ana, "Ana's");
    f.session(ben, "Ben's");
    CHECK(f.titles("?sort=title", ben) == titles{"Ana's", "Ben's"});
    f.set_role(ben, "recruiter");
    CHECK(f.titles("", ben) == titles{"Ben's"});
    for (auto const* role : {"interviewer", "viewer"}) {
        f.set_role(ben, role);
        auto const answer = f.get("", ben);
        CHECK(answer.status == 403);
        CHECK(answer.body.find("\"insufficient_role\"") != std::string::npos);
    }
    f.set_role(ben, "admin");
    CHECK(f.titles("?sort=title", ben) == titles{"Ana's", "Ben's"});
}

TEST_CASE("another organization's admin sees none of them", "[agent_sessions]") {
    agent_sessions_fixture f;
    f.session(f.member("ana", role::recruiter), "Ana's");
    auto const other = new_slug();
    make_organization(f.owner(), other);
    key_holder stranger;
    stranger.secret = make_key(f.owner(), other, "admin@" + other + ".example", {"*"}).secret;
    CHECK(f.titles("", stranger).empty());
}

TEST_CASE("without agents:read it is 403", "[agent_sessions][403]") {
    agent_sessions_fixture f;
    auto ana = f.member("ana", role::recruiter);
    ana.secret = make_key(f.owner(), f.slug(), ana.email, {"agents:history", "agents:invoke"}).secret;
    auto const answer = f.get("", ana);
    CHECK(answer.status == 403);
    CHECK(answer.body.find("\"insufficient_scope\"") != std::string::npos);
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

TEST_CASE("paging gives every session once, in each order", "[agent_sessions]") {
    agent_sessions_fixture f;
    auto const ana = f.member("ana", role::recruiter);
    for (auto const* title : {"c", "A", "b", "E", "d"}) f.session(ana, title);
    auto const paged = [&](std::string const& query) {
        titles out;
        std::string cursor;
        do {
            auto const answer = f.get("?limit=2" + query + (cursor.empty() ? "" : "&cursor=" + cursor), ana);
            REQUIRE(answer.status == 200);
            auto const body = boost::json::parse(answer.body);
            for (auto const& session : body.at("data").as_array()) out.emplace_back(session.at("title").as_string());
            auto const& page = body.at("page");
            CHECK(page.at("hasMore").as_bool() == page.at("nextCursor").is_string());
            cursor = page.at("nextCursor").is_string() ? std::string(page.at("nextCursor").as_string()) : "";
        } while (!cursor.empty());
        return out;
    };
    CHECK(paged("") == titles{"d", "E", "b", "A", "c"});
    CHECK(paged("&sort=createdAt") == titles{"c", "A", "b", "E", "d"});
    CHECK(paged("&sort=updatedAt") == titles{"c", "A", "b", "E", "d"});
    CHECK(paged("&sort=title") == titles{"A", "b", "c", "d", "E"});
    CHECK(paged("&status=completed&memberId=" + ana.member_id) == titles{"d", "E", "b", "A", "c"});
    CHECK(f.titles("?createdAfter=2100-01-01T00:00:00Z", ana).empty());
    CHECK(f.titles("?updatedBefore=2100-01-01T00:00:00Z", ana).size() == 5);
}

TEST_CASE("what the list does not know it refuses by name", "[agent_sessions][400]") {
    agent_sessions_fixture f;
    auto const ana = f.member("ana", role::recruiter);
    CHECK(f.refused_field("?state=failed", ana) == "state");
    CHECK(f.refused_field("?syncToken=", ana) == "syncToken");
    CHECK(f.refused_field("?status=running", ana) == "status");
    CHECK(f.refused_field("?memberId=ana", ana) == "memberId");
    CHECK(f.refused_field("?sort=lastRunAt", ana) == "sort");
    CHECK(f.refused_field("?limit=201", ana) == "limit");
    CHECK(f.refused_field("?cursor=x", ana) == "cursor");
}

} // namespace sessions_list_test
