// The built-in responder through POST /agent/invoke, on the demonstration's forty jobs and a thousand candidates: what
// it says agrees with the tables.
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
    std::string count_of(std::string const& what) { return text_of("SELECT count(*)::text FROM recruiting." + what); }
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
    CHECK(system.reply("How many candidates do we have?") ==
          "There are " + system.count_of("candidates WHERE deleted_at IS NULL AND " + of_acme) + " candidates.");
    CHECK(system.reply("How many open jobs are there?") ==
          "There are " + system.count_of("jobs WHERE status = 'open' AND " + of_acme) + " open jobs.");
    CHECK(system.reply("Which jobs are open?")
              .starts_with("There are " + system.count_of("jobs WHERE status = 'open' AND " + of_acme) +
                           " open jobs:\n- "));
    auto const title = system.busiest_job("title");
    auto const id = system.busiest_job("id");
    CHECK(
        system.reply("How many candidates are in the job " + id + "?")
            .starts_with("There are " +
                         system.count_of("applications WHERE deleted_at IS NULL AND status = 'active' AND job_id = '" +
                                         id + "'") +
                         " active candidates in the pipeline of “" + title + "”:\n- "));
    auto const person = system.text_of("SELECT name FROM recruiting.candidates WHERE external_id = "
                                       "'demo-candidate-00000001' AND " +
                                       of_acme);
    CHECK(system.reply("Find the candidate \"" + person + "\"").find("\n- " + person + ", ") != std::string::npos);
    CHECK(system.reply("Who are the admins?").find("admin@acme.example") != std::string::npos);
    CHECK(system.reply("Which API keys expire this month?").find(" in this month (UTC)") != std::string::npos);
    CHECK(system.reply("who revoked the moon?").starts_with("I can't answer that."));
}

TEST_CASE("a hiring manager's candidates are counted, and no others", "[agent][builtin]") {
    demo_system system;
    auto const email = system.text_of("SELECT m.email FROM recruiting.hiring_teams t JOIN recruiting.memberships m ON "
                                      "m.id = t.membership_id WHERE m.role = 'hiring_manager' AND m." +
                                      of_acme + " ORDER BY 1 LIMIT 1");
    auto const own = system.count_of(
        "candidates c WHERE c.deleted_at IS NULL AND EXISTS (SELECT FROM recruiting.applications a JOIN "
        "recruiting.hiring_teams t ON t.job_id = a.job_id JOIN recruiting.memberships m ON m.id = t.membership_id "
        "WHERE a.candidate_id = c.id AND a.deleted_at IS NULL AND m.email = '" +
        email + "')");
    REQUIRE(own != "0");
    CHECK(system.reply_to(system.key_of(email, {"*"}), "How many candidates do we have?") ==
          "There are " + own + " candidates.");
}

} // namespace builtin_test
