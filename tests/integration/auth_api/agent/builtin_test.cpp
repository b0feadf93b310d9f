// The built-in responder through POST /agent/invoke, on the demonstration's forty jobs and a thousand candidates: what
// it says agrees with the tables.
#include "core/text.hpp"
#include "integration/auth_api/agent/system.hpp"
#include "recruitctl/command.hpp"
#include "support/catch.hpp"

#include <sstream>

namespace builtin_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

struct demo_system {
    demo_system() {
        recruitctl::settings const environment{{"RECRUITING_DATABASE_URL", database.owner_url()}};
        std::ostringstream out;
        REQUIRE(recruitctl::run(recruitctl::all_commands(), {"demo", "load"}, environment, out, out) == 0);
        secret = key_of("admin@acme.example", {"*"});
        server = std::make_unique<auth_api_harness>(database.auth_url(), true);
    }
    std::string key_of(std::string const& email, std::vector<std::string> const& scopes) {
        return make_key(database.owner(), "acme", email, scopes).secret;
    }
    std::string reply(std::string const& prompt) { return reply_to(secret, prompt); }
    std::string reply_to(std::string const& as, std::string const& prompt) const {
        auto const answer = read_invoke_answer(server->post("/agent/invoke", as, prompt_body(prompt)));
        CAPTURE(prompt, answer.raw.body);
        REQUIRE(answer.status == 200);
        REQUIRE(answer.state == "completed");
        return answer.reply.value_or("");
    }
    std::string text_of(std::string const& select) { return std::string(database.owner().run(select).text(0, 0)); }
    std::string count_of(std::string const& what) {
        return text_of("SELECT trim(to_char(count(*), '999,999')) FROM recruiting." + what);
    }
    // Of the acme organization's open jobs the one with the most candidates.
    std::string busiest_job(std::string const& column) {
        return text_of("SELECT j." + column +
                       "::text FROM recruiting.jobs j JOIN recruiting.job_counts n ON n.job_id = j.id JOIN "
                       "recruiting.organizations o ON o.id = j.organization_id WHERE o.slug = 'acme' AND j.status = "
                       "'open' ORDER BY n.applications DESC, j.id LIMIT 1");
    }

    test_database database;
    std::string secret;
    std::unique_ptr<auth_api_harness> server;
};

std::string const of_acme = "organization_id = (SELECT id FROM recruiting.organizations WHERE slug = 'acme')";

} // namespace

TEST_CASE("the built-in responder's numbers are those of the tables", "[agent][builtin]") {
    demo_system system;
    CHECK(system.reply("How many candidates do we have?")
              .ends_with(" candidates (" + system.count_of("applications WHERE deleted_at IS NULL AND " + of_acme) +
                         " applications to " + system.count_of("jobs WHERE deleted_at IS NULL AND " + of_acme) +
                         " jobs)."));
    CHECK(system.reply("How many open jobs are there?") ==
          "There are " + system.count_of("jobs WHERE status = 'open' AND " + of_acme) + " open jobs.");
    CHECK(system.reply("How many members do we have?") ==
          "The organization has " + system.count_of("memberships WHERE status <> 'removed' AND " + of_acme) +
              " members.");
    auto const title = system.busiest_job("title");
    auto const id = system.busiest_job("id");
    auto const counted = system.reply("How many candidates are in the job " + id + "?");
    auto const in_job = "applications WHERE deleted_at IS NULL AND job_id = '" + id + "'";
    CHECK(counted.starts_with("“" + title + "” has " + system.count_of(in_job) +
                              " candidates: " + system.count_of(in_job + " AND status = 'active'") + " active, "));
    CHECK(system.reply("How many open remote jobs are there?") ==
          "There are " + system.count_of("jobs WHERE status = 'open' AND workplace_type = 'remote' AND " + of_acme) +
              " open remote jobs.");
    CHECK(system.reply("How many candidates were rejected for the job " + id + "?") ==
          "“" + title + "” has " + system.count_of(in_job + " AND status = 'rejected'") + " rejected candidates.");
}

TEST_CASE("every question is answered from the demonstration's records", "[agent][builtin]") {
    demo_system system;
    auto const title = system.busiest_job("title");
    auto const person = system.text_of("SELECT name FROM recruiting.candidates WHERE external_id = "
                                       "'demo-candidate-00000001' AND " +
                                       of_acme);
    CHECK(system.reply("Which jobs are open?").find(title) != std::string::npos);
    CHECK(system.reply("What does the job \"" + title + "\" say?").find(title) != std::string::npos);
    auto const id = system.busiest_job("id");
    CHECK(system.reply("Who is in the pipeline of " + id + "?").find(" in the pipeline of “" + title + "”") !=
          std::string::npos);
    CHECK(system.reply("find the candidate \"" + person + "\"").find(person + ", ") != std::string::npos);
    CHECK(system.reply("How many candidates are in the interview stage of the job " + id + "?")
              .find(" in the interview stages of “" + title + "”") != std::string::npos);
    CHECK(system.reply("How many candidates were rejected?").find("rejected candidates") != std::string::npos);
    CHECK(system.reply("list candidates").starts_with("The newest candidates:\n- "));
    CHECK(system.reply("Who are the admins?").find("admin@acme.example") != std::string::npos);
    CHECK(system.reply("What plan are we on?").starts_with("The plan is “"));
    CHECK(system.reply("What did admin@acme.example do today?").starts_with("From the audit log by "));
    CHECK(system.reply("Who revoked a key?") == "The audit log has no such entries.");
    CHECK(system.reply("show the audit log").starts_with("From the audit log, the newest first"));
    CHECK(system.reply("list the API keys").starts_with("There "));
    CHECK(system.reply("what is our time zone?").starts_with("The organization's time zone is "));
    CHECK(system.reply("who revoked the moon?").starts_with("I can't answer that."));
}

TEST_CASE("a key that the built-in responder revokes is refused at once, its own still gets the answer",
          "[agent][builtin]") {
    demo_system system;
    auto const made = make_key(system.database.owner(), "acme", "admin@acme.example", {"*"});
    system.database.owner().run("UPDATE recruiting.api_keys SET name = 'warehouse-sync' WHERE id = $1",
                                pg::params{}.id(made.key.id));
    REQUIRE(system.server->get("/me", made.secret).status == 200);
    CHECK(system.reply("revoke the key warehouse").find("Nothing was revoked.") != std::string::npos);
    REQUIRE(system.server->get("/me", made.secret).status == 200);
    CHECK(system.reply_to(made.secret, "Please revoke the key \"warehouse-sync\"")
              .ends_with("It is the key you are using: this is the last answer it gets."));
    REQUIRE(system.server->get("/me", made.secret).status == 401);
    CHECK(system.reply("who revoked a key today?").find("revoked an API key") != std::string::npos);
}

TEST_CASE("list_api_keys shows a caller who is not an admin their own keys only", "[agent][builtin]") {
    demo_system system;
    for (auto const* role : {"recruiter", "hiring_manager"}) {
        auto const email = std::string(role) + "@keys.example";
        make_member(system.database.owner(), "acme", email, *parse_role(role));
        auto const own = make_key(system.database.owner(), "acme", email, {"agents:invoke"});
        auto const listed = system.reply_to(own.secret, "list the API keys");
        CHECK(listed.find(own.key.name) != std::string::npos);
        CHECK(listed.find("admin@acme.example") == std::string::npos);
        CHECK(system.reply_to(own.secret, "How many API keys are there?").find("1 ") != std::string::npos);
        // What its tools were given holds no other key either.
        CHECK(system.text_of(
                  "SELECT count(*)::text FROM recruiting.agent_messages m JOIN recruiting.agent_runs r ON r.id = "
                  "m.run_id JOIN recruiting.api_keys k ON strpos(m.content, replace(k.id::text, '-', '')) > 0 "
                  "WHERE m.tool_name = 'list_api_keys' AND k.membership_id <> r.membership_id") == "0");
        CHECK(system.text_of(
                  "SELECT (count(*) > 0)::text FROM recruiting.agent_messages m JOIN recruiting.agent_runs r ON "
                  "r.id = m.run_id JOIN recruiting.api_keys k ON strpos(m.content, replace(k.id::text, '-', "
                  "'')) > 0 WHERE m.tool_name = 'list_api_keys' AND k.id = r.credential_id") == "true");
    }
}

TEST_CASE("the built-in responder sees no more than its caller", "[agent][builtin]") {
    demo_system system;
    auto const recruiter = system.key_of("recruiter@acme.example", {"*"});
    CHECK(system.reply_to(recruiter, "What plan are we on?") ==
          "Your role does not reach the billing data (billing:read). Only admins of the organization may see this.");
    auto const narrow = system.key_of("admin@acme.example", {"agents:invoke", "jobs:read"});
    CHECK(system.reply_to(narrow, "show the audit log") == "Your key does not reach the audit log (audit:read).");
    CHECK(system.reply_to(narrow, "How many open jobs are there?").starts_with("There are "));
}

} // namespace builtin_test
