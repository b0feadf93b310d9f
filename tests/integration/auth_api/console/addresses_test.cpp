// One address, one person: what the admin of one organization types decides nothing in another (decision 0111).
#include "auth_api/console/endpoints.hpp"
#include "core/text.hpp"
#include "integration/auth_api/console/browser.hpp"
#include "integration/auth_api/console/changes.hpp"
#include "integration/auth_api/harness.hpp"
#include "integration/support/http_server_harness.hpp"
#include "mail/address.hpp"
#include "support/catch.hpp"

#include <boost/json/parse.hpp>

namespace addresses_test {
using namespace recruiting;
using namespace recruiting::test;
using namespace recruiting::auth_api::console;

namespace {

struct two_organizations {
    test_database database;
    console_changes attacker{database};
    console_changes victim{database};

    void invite(console_changes& by, std::string const& address) {
        auto const body = R"({"email":")" + address + R"(","name":"N","role":"admin"})";
        INFO(address);
        CHECK(by.outcome({invite_member, by.admin, {}, body}) == "201");
    }
    std::string value(std::string const& sql) { return std::string(database.owner().run(sql).text(0, 0)); }
    /// Where the mails to members go, in the order in which they were written.
    std::string recipients() {
        database.owner().run("SELECT set_config('recruiting.worker', 'mailer', false)");
        return value(
            "SELECT coalesce(string_agg(c.email, ' ' ORDER BY m.created_at), '') FROM recruiting.mail_outbox m "
            "JOIN recruiting.member_mail_content c ON c.id = m.id");
    }
    std::string people() {
        return value("SELECT count(*)::text FROM recruiting.users WHERE email_key NOT LIKE 'admin@%'");
    }
};

} // namespace

TEST_CASE("another tenant's look-alike is another person, and gets none of this tenant's mails",
          "[console][addresses]") {
    two_organizations both;
    int people = 0;
    for (auto const* look_alike : {"ceo@mİnerva.example", "ceo@mınerva.example", "cеo@minerva.example"}) {
        both.invite(both.attacker, look_alike);
        CHECK(both.people() == std::to_string(++people));
    }
    both.database.owner().run("UPDATE recruiting.memberships SET status = 'removed', removed_at = now() "
                              "WHERE status = 'invited'");
    both.database.owner().run("DELETE FROM recruiting.mail_outbox");
    both.invite(both.victim, "ceo@minerva.example");
    CHECK(both.people() == std::to_string(++people));
    CHECK(both.recipients() == "ceo@minerva.example");
}

TEST_CASE("one person's spellings are one person, and each organization writes to its own", "[console][addresses]") {
    two_organizations both;
    both.invite(both.attacker, "Kim@köln.example");
    both.invite(both.victim, "kim@XN--kln-sna.example");
    CHECK(both.people() == "1");
    CHECK(both.recipients() == "Kim@köln.example kim@XN--kln-sna.example");
    auto const again = R"({"email":"KIM@KÖLN.example","name":"N","role":"admin"})";
    CHECK(both.victim.outcome({invite_member, both.victim.admin, {}, again}) == "400 email taken");
}

TEST_CASE("an answer has this organization's spelling, whoever else knows the person", "[console][addresses]") {
    two_organizations both;
    both.invite(both.attacker, "recruiter2@minerva.example");
    both.invite(both.victim, "rEcRuItEr2@Minerva.example");
    auto const key = make_key(both.database.owner(), both.victim.slug, both.victim.email("admin"), {"*"}).secret;
    auth_api_harness const service{both.database.auth_url()};
    auto const listed = service.get("/members?status=invited", key);
    CHECK(listed.body.find("rEcRuItEr2@Minerva.example") != std::string::npos);
    CHECK(listed.body.find("recruiter2@minerva.example") == std::string::npos);
    // A member who is invited again under another spelling is written to under that one.
    both.database.owner().run("UPDATE recruiting.memberships SET status = 'removed', removed_at = now() "
                              "WHERE status = 'invited'");
    both.invite(both.victim, "recruiter2@MINERVA.example");
    CHECK(service.get("/members?status=invited", key).body.find("recruiter2@MINERVA.example") != std::string::npos);
}

TEST_CASE("a candidate is found in every spelling of their address, and a look-alike is not", "[console][addresses]") {
    two_organizations both;
    auto& owner = both.database.owner();
    owner.run("INSERT INTO recruiting.candidates (id, organization_id, name, email, email_key) "
              "VALUES (gen_random_uuid(), $1, 'Kim', 'Kim@köln.example', 'kim@xn--kln-sna.example')",
              pg::params{}.id(both.victim.organization.id));
    auto const key = make_key(owner, both.victim.slug, both.victim.email("admin"), {"*"}).secret;
    auth_api_harness const service{both.database.auth_url()};
    auto const found = [&](std::string const& address) {
        return service.get("/candidates?email=" + percent_encode(address), key).body.find("Kim@köln.example") !=
               std::string::npos;
    };
    for (auto const* spelling : {"kim@xn--kln-sna.example", "KIM@KÖLN.example", "kim@köln。example"})
        CHECK(found(spelling));
    for (auto const* other : {"kim@koln.example", "kım@köln.example", "\u212Aim@köln.example", "kim"})
        CHECK_FALSE(found(other));
}

TEST_CASE("what is no address is refused with its reason, by every door of the console", "[console][addresses]") {
    two_organizations both;
    for (auto const* address :
         {"ſam@minerva.example", "\u212Aim@minerva.example", "ｋim@minerva.example", "kim@xn--a.example"}) {
        INFO(address);
        auto const body = R"({"email":")" + std::string(address) + R"(","name":"N","role":"admin"})";
        CHECK(both.victim.outcome({invite_member, both.victim.admin, {}, body}) == "400 email invalid_value");
    }
    console_system s;
    console_browser someone(s);
    auto const refused = someone.send("POST", "/sign-in-links", R"({"email":"ſam@minerva.example"})");
    CHECK(refused.status == 400);
    CHECK(refused.body.find("Must have no characters before the @ that PRECIS (RFC 8264) refuses.") !=
          std::string::npos);
}

TEST_CASE("a sign-in link is asked for in any spelling, and goes to the organization's", "[console][addresses]") {
    console_system s({}, true);
    make_member(s.database.owner(), s.slug, "Kim@köln.example", role::viewer);
    make_member(s.database.owner(), s.slug, "ceo@minerva.example", role::viewer);
    console_browser someone(s);
    for (auto const* address : {"ceo@mİnerva.example", "kim@xn--kln-sna.example", "kim@KÖLN.example"})
        CHECK(someone.send("POST", "/sign-in-links", R"({"email":")" + std::string(address) + R"("})").status == 202);
    REQUIRE(eventually([&] { return s.value("SELECT count(*) FROM recruiting.sign_in_requests") == "0"; }));
    s.database.owner().run("SELECT set_config('recruiting.worker', 'mailer', false)");
    CHECK(s.value("SELECT string_agg(DISTINCT c.email, ' ') FROM recruiting.mail_outbox m "
                  "JOIN recruiting.member_mail_content c ON c.id = m.id WHERE m.kind = 'sign_in'") ==
          "Kim@köln.example");
}

TEST_CASE("the limits of an address count its spellings together", "[console][addresses][429]") {
    console_system s([](auth_api::settings& config) { config.console.links_per_address = 1; });
    console_browser someone(s);
    for (auto const* address : {"kim@köln.example", "KIM@köln.example", "kim@xn--kln-sna.example", "kim@köln。example"})
        CHECK(someone.send("POST", "/sign-in-links", R"({"email":")" + std::string(address) + R"("})").status == 202);
    CHECK(s.value("SELECT count(*) FROM recruiting.sign_in_requests") == "1");
}

} // namespace addresses_test
