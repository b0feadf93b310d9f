// organization delete: nothing of the organization stays but its id, and the others notice nothing.
#include "integration/recruitctl/erasure_fixture.hpp"

#include <thread>

namespace organization_delete_test {
using namespace recruiting;
using namespace recruiting::test;
namespace ctl = recruiting::recruitctl;

namespace {

std::vector<std::string> deletion(std::vector<std::string> const& more = {}) {
    std::vector<std::string> words{"organization", "delete", "--organization", "acme"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

// Every row of every table that has an organization, of this one.
std::string digest_of(erasure_world& w, uuid const& organization) {
    std::string all;
    auto const tables =
        w.database.owner().run("SELECT c.relname::text FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid "
                               "WHERE c.relnamespace = 'recruiting'::regnamespace AND c.relkind = 'r' AND a.attname = "
                               "'organization_id' ORDER BY 1");
    for (auto row : tables) {
        auto const table = std::string(row.text());
        all += table + " " +
               w.value("SELECT count(*) || ' ' || coalesce(md5(string_agg(t::text, '' ORDER BY t::text)), '') "
                       "FROM recruiting." +
                       table + " t WHERE organization_id = '" + to_string(organization) + "'") +
               "\n";
    }
    return all;
}

} // namespace

TEST_CASE("after organization delete only the list of erasures has its id, and another organization is as before",
          "[recruitctl][erasure]") {
    erasure_world w;
    person_everywhere const who(w.database, "acme");
    person_everywhere const others(w.database, "globex");
    auto& owner = w.database.owner();
    make_member(owner, "globex", "admin@acme.example", role::admin); // a person of both
    make_key(owner, "acme", "admin@acme.example", {"jobs:read"});
    w.run("INSERT INTO recruiting.usage_records (id, organization_id, kind) SELECT gen_random_uuid(), id, 'agent_run' "
          "FROM recruiting.organizations");
    w.run("INSERT INTO recruiting.invoices (id, organization_id, number, status, amount_cents, currency, issued_at) "
          "SELECT gen_random_uuid(), id, '1', 'open', 1, 'EUR', now() FROM recruiting.organizations");
    while (w.value("SELECT recruiting.seal_audit_rows(1000)") != "0") {
    }
    w.run("DELETE FROM recruiting.published_changes"); // a day's ids for public-api, which drops them itself
    auto const before = digest_of(w, others.organization);
    auto const members = w.value("SELECT count(*) FROM recruiting.users");

    SECTION("by the owner, with all checks") {}
    SECTION("by a superuser, without") { w.is_superuser = true; }
    auto const shown = w.json(deletion());
    CHECK_FALSE(shown.at("deleted").as_bool());
    CHECK(shown.at("candidates").as_int64() == 1);
    CHECK(shown.at("interviewsAhead").as_int64() == 1);
    CHECK(w(deletion({"--confirm", "globex"})) == ctl::usage);
    CHECK(w.value("SELECT count(*) FROM recruiting.organizations WHERE slug = 'acme'") == "1");

    REQUIRE(w(deletion({"--confirm", "acme"})) == ctl::done);
    CHECK(w.out.find("the audit log included") != std::string::npos);
    CHECK(tables_with(w.database, who.organization) == names{"erasures", "published_changes"});
    CHECK(tables_with(w.database, std::string("interviewer@acme.example")).empty());
    CHECK(w.value("SELECT count(*) FROM recruiting.users WHERE email_key = 'admin@acme.example'") == "1");
    CHECK(std::stoi(w.value("SELECT count(*) FROM recruiting.users")) < std::stoi(members));
    CHECK(digest_of(w, others.organization) == before);
    CHECK(w({"audit", "verify"}) == ctl::done);
    CHECK(w(deletion({"--confirm", "acme"})) == ctl::failed); // there is none
    auto const head = w.json({"audit", "head"});
    CHECK(head.at("erasures").as_array().at(0).at("id").as_string() == to_string(who.organization));
}

TEST_CASE("an organization whose deletion was cut off acts no more, and the command finishes it",
          "[recruitctl][erasure]") {
    erasure_world w;
    person_everywhere const who(w.database, "acme");
    make_key(w.database.owner(), "acme", "admin@acme.example", {"jobs:read"});
    int code = -1;
    erasure_world other; // a console of its own
    pg::client holder(w.database.owner_url(), "tests");
    {
        pg::transaction const held(holder);
        holder.run("SELECT FROM recruiting.usage_records FOR UPDATE"); // of its booking
        std::thread operators([&] { code = other(deletion({"--confirm", "acme"}), w.database); });
        while (!w.database.has_lock_waiter()) std::this_thread::yield();
        pg::client superuser(w.database.superuser_url(), "tests");
        superuser.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() "
                      "AND application_name = 'recruitctl' AND wait_event_type = 'Lock'");
        operators.join();
    }
    CHECK(code != ctl::done);
    CHECK(w.value("SELECT count(*) FROM recruiting.organizations WHERE slug = 'acme'") == "1");
    CHECK(w.value("SELECT count(*) FROM recruiting.api_keys WHERE revoked_at IS NULL") == "0");
    CHECK(w.value("SELECT count(*) FROM recruiting.memberships WHERE status <> 'removed'") == "0");
    CHECK(w.value("SELECT count(*) FROM recruiting.published_jobs") == "0");
    REQUIRE(w(deletion({"--confirm", "acme"})) == ctl::done);
    CHECK(tables_with(w.database, who.organization) == names{"erasures", "published_changes"});
}

} // namespace organization_delete_test
