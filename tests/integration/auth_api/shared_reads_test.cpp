// Reads that share a segment see nothing of each other: neither errors nor rows nor who asked.
#include "async/ticker.hpp"
#include "auth/api_key.hpp"
#include "auth_api/http/shared_reads.hpp"
#include "support/catch.hpp"
#include "support/database.hpp"
#include "support/directory.hpp"

#include <functional>
#include <map>

namespace shared_reads_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

struct asked {
    std::string name;
    std::string secret;
    std::string sql;
    std::optional<uuid> record{};
};

struct answered {
    std::string answer; // of the statement's last column, or the SQLSTATE it failed with
    std::string member; // "" when no key has that secret
    std::shared_ptr<auth::principal const> principal;
};

task<void> ask(auth_api::shared_reads& reads, asked const& what, answered& answer, int& left) {
    auto const hash = hash_secret(test_key_settings().pepper, what.secret);
    std::vector<pg::statement> statements;
    statements.push_back(what.record ? pg::read_record(what.sql, *what.record) : pg::statement{what.sql, {}});
    try {
        auto const got = co_await reads.run(hash, std::move(statements));
        if (got.principal) answer.member = got.principal->member_email;
        answer.principal = got.principal;
        auto const& rows = got.rows.at(0);
        answer.answer = rows.empty() ? "no row" : std::string(rows.text(0, rows.columns() - 1));
        if (rows.size() > 1) answer.answer += " and others";
    } catch (pg::query_error const& error) {
        answer.answer = error.sqlstate();
    }
    --left;
}

// Asks all at once, so that they arrive in one turn of the loop. Known keys have been seen before: of which
// organization they are is known then, and what they might. `since` happens after that.
enum class keys { are_new, are_known };
std::map<std::string, answered> ask_at_once(
    std::vector<asked> const& all, keys seen = keys::are_new, std::function<void()> const& since = [] {}) {
    asio::io_context context{1};
    ticker clock(context, std::chrono::milliseconds{10});
    pg::pipeline_settings settings;
    settings.url = shared_database().auth_url();
    pg::pipeline connection(context, clock, settings);
    metrics::registry metrics;
    auth_api::shared_reads reads(context, clock, {&connection, &connection, &connection}, {}, metrics);
    std::map<std::string, answered> answers;
    int left = static_cast<int>(all.size());
    auto const begin = [&]() -> task<void> {
        while (!connection.ready()) co_await sleep_for(std::chrono::milliseconds{5});
        if (seen == keys::are_known) {
            for (auto const& one : all) {
                auto const hash = hash_secret(test_key_settings().pepper, one.secret);
                std::vector<pg::statement> none;
                auto const got = co_await reads.run(hash, std::move(none));
                static_cast<void>(got);
            }
        }
        since();
        for (auto const& one : all) spawn(context, ask(reads, one, answers[one.name], left));
        while (left > 0) co_await sleep_for(std::chrono::milliseconds{5});
        context.stop();
    };
    spawn(context, begin());
    context.run_for(std::chrono::seconds{10});
    REQUIRE(left == 0);
    return answers;
}

struct two_organizations {
    pg::client& owner{shared_database().owner()};
    std::string one{make()};
    std::string other{make()};
    std::string key_of_one{make_key(owner, one, "admin@" + one + ".example", {"*"}).secret};
    std::string key_of_other{make_key(owner, other, "admin@" + other + ".example", {"*"}).secret};

private:
    [[nodiscard]] std::string make() const {
        auto slug = new_slug();
        make_organization(owner, slug);
        return slug;
    }
};

constexpr auto own_slug = "SELECT slug FROM recruiting.organizations";

} // namespace

TEST_CASE("a statement that fails costs only its own read", "[auth_api][shared_reads]") {
    auto const slug = new_slug();
    make_organization(shared_database().owner(), slug);
    auto const admin = "admin@" + slug + ".example";
    auto const key = make_key(shared_database().owner(), slug, admin, {"*"}).secret;
    auto const answers =
        ask_at_once({{"first", key, own_slug}, {"fails", key, "SELECT 1 / 0"}, {"last", key, own_slug}});
    CHECK(answers.at("first").answer == slug);
    CHECK(answers.at("fails").answer == "22012");
    CHECK(answers.at("last").answer == slug);
}

TEST_CASE("reads of one turn are answered by their own key", "[auth_api][shared_reads]") {
    two_organizations const of;
    auto const& [owner, one, other, key_of_one, key_of_other] = of;
    auto const answers = ask_at_once({{"a", key_of_one, own_slug},
                                      {"b", key_of_other, own_slug},
                                      {"c", key_of_one, own_slug},
                                      {"nobody", "sp_test_unknown", own_slug}});
    CHECK(answers.at("a").answer == one);
    CHECK(answers.at("b").answer == other);
    CHECK(answers.at("c").answer == one);
    CHECK(answers.at("b").member == "admin@" + other + ".example");
    CHECK(answers.at("nobody").member.empty());
    CHECK(answers.at("nobody").answer == "no row");
    CHECK(answers.at("a").principal == answers.at("c").principal); // authenticated once
    CHECK(answers.at("a").principal != answers.at("b").principal);
}

TEST_CASE("keys of several organizations share a transaction, and nothing else", "[auth_api][shared_reads]") {
    two_organizations const of;
    auto const& [owner, one, other, key_of_one, key_of_other] = of;
    make_member(owner, one, "rea@" + one + ".example", role::recruiter);
    auto const key_of_recruiter = make_key(owner, one, "rea@" + one + ".example", {"*"}).secret;
    auto const revoked = make_key(owner, other, "admin@" + other + ".example", {"*"});
    owner.run("UPDATE recruiting.api_keys SET revoked_at = now() WHERE id = $1", pg::params().id(revoked.key.id));
    std::string const transaction = "SELECT now()::text";
    std::string const all_settings =
        "SELECT concat_ws(' ', (SELECT string_agg(slug, ',') FROM recruiting.organizations), "
        "current_setting('recruiting.role'), current_setting('recruiting.organization_id') = '')";
    SECTION("its settings and rows") {
        auto const answers = ask_at_once({{"time of one", key_of_one, transaction},
                                          {"one", key_of_one, all_settings},
                                          {"nobody", "sp_test_unknown", all_settings},
                                          {"other", key_of_other, all_settings},
                                          {"time of other", key_of_other, transaction},
                                          {"time of nobody", "sp_test_unknown", transaction}},
                                         keys::are_known);
        CHECK(answers.at("one").answer == one + " admin f");
        CHECK(answers.at("other").answer == other + " admin f");
        CHECK(answers.at("nobody").answer == " t");
        CHECK(answers.at("nobody").principal == nullptr);
        CHECK(answers.at("time of one").answer == answers.at("time of other").answer);
        CHECK(answers.at("time of one").answer == answers.at("time of nobody").answer);
    }
    SECTION("nor does a key that is revoked see what the one before it may") {
        auto const answers = ask_at_once({{"one", key_of_one, all_settings}, {"revoked", revoked.secret, all_settings}},
                                         keys::are_known);
        CHECK(answers.at("one").answer == one + " admin f");
        CHECK(answers.at("revoked").answer == " t");
        REQUIRE(answers.at("revoked").principal);
        CHECK(answers.at("revoked").principal->state == auth::credential_state::revoked);
    }
    SECTION("also when a statement of one fails") {
        auto const answers = ask_at_once({{"one", key_of_one, all_settings},
                                          {"fails", key_of_other, "SELECT 1 / 0"},
                                          {"other", key_of_other, all_settings},
                                          {"nobody", "sp_test_unknown", all_settings}},
                                         keys::are_known);
        CHECK(answers.at("one").answer == one + " admin f");
        CHECK(answers.at("fails").answer == "22012");
        CHECK(answers.at("other").answer == other + " admin f");
        CHECK(answers.at("nobody").answer == " t");
    }
    SECTION("and two keys of one organization come one after the other, each with its own role") {
        auto const answers = ask_at_once({{"admin", key_of_one, all_settings},
                                          {"recruiter", key_of_recruiter, all_settings},
                                          {"time of admin", key_of_one, transaction},
                                          {"time of recruiter", key_of_recruiter, transaction}},
                                         keys::are_known);
        CHECK(answers.at("admin").answer == one + " admin f");
        CHECK(answers.at("recruiter").answer == one + " recruiter f");
        CHECK(answers.at("time of admin").answer != answers.at("time of recruiter").answer);
    }
}

TEST_CASE("a key that may nothing sees nothing between two that may", "[auth_api][shared_reads]") {
    two_organizations const of;
    auto& owner = of.owner;
    auto const third = new_slug();
    make_organization(owner, third);
    auto const email = "ida@" + third + ".example";
    auto const member = make_member(owner, third, email, role::recruiter);
    auto const key = make_key(owner, third, email, {"*"});
    std::string const all_settings =
        "SELECT concat_ws(' ', now()::text, (SELECT string_agg(slug, ',') FROM recruiting.organizations), "
        "current_setting('recruiting.role'), current_setting('recruiting.member_id') = '', "
        "(SELECT count(*) FROM recruiting.presented_credential))";
    auto const ask_between = [&] {
        auto const answers = ask_at_once({{"one", of.key_of_one, all_settings},
                                          {"between", key.secret, all_settings},
                                          {"other", of.key_of_other, all_settings}},
                                         keys::are_known);
        auto const time = answers.at("one").answer.substr(0, answers.at("one").answer.find(" " + of.one));
        CHECK(answers.at("one").answer == time + " " + of.one + " admin f 0");
        CHECK(answers.at("other").answer == time + " " + of.other + " admin f 0"); // of one transaction
        auto between = answers.at("between");
        REQUIRE(between.answer.starts_with(time));
        between.answer.erase(0, time.size() + 1);
        REQUIRE(between.principal);
        return between;
    };
    SECTION("while it is active it sees its own") { CHECK(ask_between().answer == third + " recruiter f 0"); }
    SECTION("revoked") {
        owner.run("UPDATE recruiting.api_keys SET revoked_at = now() WHERE id = $1", pg::params().id(key.key.id));
        auto const between = ask_between();
        CHECK(between.answer == " t 0");
        CHECK(between.principal->state == auth::credential_state::revoked);
    }
    SECTION("expired") {
        owner.run("UPDATE recruiting.api_keys SET expires_at = now() WHERE id = $1", pg::params().id(key.key.id));
        auto const between = ask_between();
        CHECK(between.answer == " t 0");
        CHECK(between.principal->state == auth::credential_state::expired);
    }
    SECTION("its member removed") {
        owner.run("UPDATE recruiting.memberships SET status = 'removed', removed_at = now() WHERE id = $1",
                  pg::params().id(member.id));
        auto const between = ask_between();
        CHECK(between.answer == " t 0");
        CHECK(between.principal->state == auth::credential_state::inactive);
    }
    SECTION("its member's role another since") {
        owner.run("UPDATE recruiting.memberships SET role = 'hiring_manager' WHERE id = $1",
                  pg::params().id(member.id));
        auto const between = ask_between();
        CHECK(between.answer == third + " hiring_manager f 0");
        CHECK(between.principal->role == role::hiring_manager);
    }
}

TEST_CASE("keys of a transaction that ask for each other's records find none", "[auth_api][shared_reads]") {
    two_organizations const of;
    auto const& [owner, one, other, key_of_one, key_of_other] = of;
    auto const of_one = make_member(owner, one, "ana@" + one + ".example", role::recruiter).id;
    auto const of_other = make_member(owner, other, "cy@" + other + ".example", role::viewer).id;
    std::string const sql = "SELECT id, role || now() FROM recruiting.memberships WHERE id = ANY ($1::uuid[])";
    auto const answers = ask_at_once({{"own of one", key_of_one, sql, of_one},
                                      {"other's of one", key_of_one, sql, of_other},
                                      {"own of other", key_of_other, sql, of_other},
                                      {"one's of other", key_of_other, sql, of_one},
                                      {"nobody", "sp_test_unknown", sql, of_one}},
                                     keys::are_known);
    auto const time = answers.at("own of one").answer.substr(std::string("recruiter").size());
    CHECK(answers.at("own of one").answer == "recruiter" + time);
    CHECK(answers.at("own of other").answer == "viewer" + time); // of one transaction
    CHECK(answers.at("other's of one").answer == "no row");
    CHECK(answers.at("one's of other").answer == "no row");
    CHECK(answers.at("nobody").answer == "no row");
}

TEST_CASE("records of one kind are one statement's rows, and each read gets its own", "[auth_api][shared_reads]") {
    two_organizations const of;
    auto const& [owner, one, other, key_of_one, key_of_other] = of;
    auto const& key = key_of_one;
    auto const recruiter = make_member(owner, one, "ana@" + one + ".example", role::recruiter).id;
    auto const viewer = make_member(owner, one, "bo@" + one + ".example", role::viewer).id;
    auto const stranger = make_member(owner, other, "cy@" + other + ".example", role::viewer).id;
    std::string const sql = "SELECT id, role || ' of ' || cardinality($1::uuid[]) FROM recruiting.memberships "
                            "WHERE id = ANY ($1::uuid[])";
    SECTION("also where it is asked for twice, or not there") {
        auto const answers = ask_at_once({{"viewer", key, sql, viewer},
                                          {"slug", key, own_slug},
                                          {"recruiter", key, sql, recruiter},
                                          {"nothing", key, sql, stranger},
                                          {"again", key, sql, recruiter},
                                          {"alone", key, sql + " AND true", recruiter},
                                          {"stranger", key_of_other, sql, recruiter}});
        CHECK(answers.at("viewer").answer == "viewer of 4");
        CHECK(answers.at("recruiter").answer == "recruiter of 4");
        CHECK(answers.at("again").answer == "recruiter of 4");
        CHECK(answers.at("nothing").answer == "no row");
        CHECK(answers.at("alone").answer == "recruiter of 1");
        CHECK(answers.at("slug").answer == one);
        CHECK(answers.at("stranger").answer == "no row");
    }
    SECTION("and one that fails costs only its own read") {
        auto const failing = "SELECT id, (1 / (CASE WHEN role = 'viewer' THEN 0 ELSE 1 END))::text "
                             "FROM recruiting.memberships WHERE id = ANY ($1::uuid[])";
        auto const answers = ask_at_once({{"fails", key, failing, viewer}, {"last", key, failing, recruiter}});
        CHECK(answers.at("fails").answer == "22012");
        CHECK(answers.at("last").answer == "1");
    }
}

TEST_CASE("keys of one member are read together, each with the rights it has then", "[auth_api][shared_reads]") {
    auto& owner = shared_database().owner();
    auto const slug = new_slug();
    make_organization(owner, slug);
    auto const rea = make_member(owner, slug, "rea@" + slug + ".example", role::recruiter);
    auto const vic = make_member(owner, slug, "vic@" + slug + ".example", role::viewer);
    std::array<directory::created_api_key, 3> made;
    for (auto& one : made) one = make_key(owner, slug, "rea@" + slug + ".example", {"*"});
    auto const sql = "SELECT id, concat_ws(' ', (SELECT count(*) FROM recruiting.organizations), "
                     "current_setting('recruiting.role'), current_setting('recruiting.member_id')::uuid = '" +
                     to_string(rea.id) +
                     "', cardinality($1::uuid[])) FROM recruiting.memberships WHERE id = ANY ($1::uuid[])";
    auto const ask_since = [&](std::function<void()> const& since) {
        return ask_at_once({{"first", made[0].secret, sql, rea.id},
                            {"second", made[1].secret, sql, rea.id},
                            {"third", made[2].secret, sql, vic.id}},
                           keys::are_known, since);
    };
    auto const set = [&](std::string const& what, uuid const& id) { owner.run(what, pg::params().id(id)); };
    std::string const revoke = "UPDATE recruiting.api_keys SET revoked_at = now() WHERE id = $1";
    SECTION("one statement of all") {
        auto const answers = ask_since([] {});
        for (auto const* name : {"first", "second", "third"}) CHECK(answers.at(name).answer == "1 recruiter t 3");
        CHECK(answers.at("first").principal->credential_id == made[0].key.id);
        CHECK(answers.at("second").principal->credential_id == made[1].key.id);
    }
    SECTION("the first one was revoked since") {
        auto const answers = ask_since([&] { set(revoke, made[0].key.id); });
        CHECK(answers.at("first").principal->state == auth::credential_state::revoked);
        CHECK(answers.at("first").answer == "no row");
        CHECK(answers.at("second").answer == "1 recruiter t 1");
        CHECK(answers.at("third").answer == "1 recruiter t 1");
    }
    SECTION("another one was") {
        auto const answers = ask_since([&] { set(revoke, made[1].key.id); });
        CHECK(answers.at("second").principal->state == auth::credential_state::revoked);
        CHECK(answers.at("first").answer == "1 recruiter t 3");
        CHECK(answers.at("third").answer == "1 recruiter t 3");
    }
    SECTION("the member's role is another since") {
        auto const answers =
            ask_since([&] { set("UPDATE recruiting.memberships SET role = 'viewer' WHERE id = $1", rea.id); });
        for (auto const* name : {"first", "second", "third"}) CHECK(answers.at(name).answer == "1 viewer t 3");
    }
    SECTION("the first one belongs to another member since") {
        auto const answers = ask_since([&] {
            owner.run("UPDATE recruiting.api_keys SET membership_id = $2 WHERE id = $1",
                      pg::params().id(made[0].key.id).id(vic.id));
        });
        CHECK(answers.at("first").answer == "1 viewer f 3");
        CHECK(answers.at("second").answer == "1 recruiter t 1");
        CHECK(answers.at("third").answer == "1 recruiter t 1");
    }
    SECTION("all of them were revoked since") {
        auto const answers = ask_since([&] {
            for (auto const& one : made) set(revoke, one.key.id);
        });
        for (auto const* name : {"first", "second", "third"}) {
            CHECK(answers.at(name).answer == "no row");
            CHECK(answers.at(name).principal->state == auth::credential_state::revoked);
        }
    }
}

} // namespace shared_reads_test
