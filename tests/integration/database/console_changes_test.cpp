// What recruiting_auth may change as the worker `console`, whatever it sets: within the organization and the role of a
// session that lives, and nothing without one.
#include "integration/auth_api/console/changes.hpp"
#include "pg/error.hpp"
#include "support/catch.hpp"

#include "core/text.hpp"

namespace console_changes_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

constexpr auto denied = "42501";

struct fixture : console_changes {
    digest const viewer = join("vic", role::viewer);
    digest const recruiter = join("rea", role::recruiter);
    console_changes other;
    pg::client attacker{database.auth_url(), "tests"};

    void set(std::string const& name, std::string const& value) {
        attacker.run("SELECT set_config('recruiting.' || $1, $2, false)", pg::params().text(name).text(value));
    }
    /// All that a taken-over service can claim beside a session: an admin of the organization.
    void claim(directory::organization const& of, digest const* session) {
        set("worker", "console");
        set("organization_id", to_string(of.id));
        set("member_id", to_string(member_of(of)));
        set("role", "admin");
        set("session_hash", session == nullptr ? "" : to_hex(bytes_of(*session)));
    }
    uuid member_of(directory::organization const& of) {
        return owner
            .run("SELECT id FROM recruiting.memberships WHERE organization_id = $1 AND role = 'admin'",
                 pg::params{}.id(of.id))
            .id(0, 0);
    }
    uuid id_of(std::string const& address) {
        return owner
            .run("SELECT m.id FROM recruiting.memberships m JOIN recruiting.users u ON u.id = m.user_id WHERE "
                 "u.email_key = $1",
                 pg::params{}.text(address))
            .id(0, 0);
    }
    /// "" when it changed a row or returned one, "nothing", or the SQLSTATE.
    std::string state_of(std::string const& sql, pg::params const& values = {}) {
        try {
            return attacker.run(sql, values).affected() > 0 ? "" : "nothing";
        } catch (pg::query_error const& error) {
            return error.sqlstate();
        }
    }
    std::string insert_key(uuid const& organization_id, uuid const& member, std::string const& days = "30") {
        return state_of(
            "INSERT INTO recruiting.api_keys (id, organization_id, membership_id, name, secret_hash, "
            "displayed_prefix, environment, scopes, allowed_ips, expires_at) VALUES (gen_random_uuid(), $1, "
            "$2, 'k' || gen_random_uuid(), decode(repeat(replace(gen_random_uuid()::text, '-', ''), 2), 'hex'), "
            "'p', 'test', '{*}', '{}', now() + $3::text::interval)",
            pg::params{}.id(organization_id).id(member).text(days + " days"));
    }
    std::string insert_member(uuid const& organization_id, std::string const& status = "invited") {
        return state_of("INSERT INTO recruiting.memberships (id, organization_id, user_id, email, role, status) "
                        "SELECT gen_random_uuid(), $1, $2, 'stranger@strangers.example', 'admin', $3",
                        pg::params{}.id(organization_id).id(stranger()).text(status));
    }
    uuid stranger() {
        auto const id = random_id();
        owner.run("INSERT INTO recruiting.users (id, email_key, name) VALUES ($1, $2, 'S')",
                  pg::params{}.id(id).text(to_string(id) + "@strangers.example"));
        return id;
    }
    std::string find_user(std::string const& address, std::optional<std::string> const& name) {
        return state_of("SELECT recruiting.find_or_add_user(gen_random_uuid(), $1, $2)",
                        pg::params{}.text(address).optional_text(name));
    }
    /// Every change that the console can make, tried on this organization's rows.
    std::vector<std::string> try_all(directory::organization const& on) {
        return {
            insert_key(on.id, member_of(on)),
            insert_member(on.id),
            state_of("UPDATE recruiting.memberships SET role = 'admin' WHERE organization_id = $1",
                     pg::params{}.id(on.id)),
            state_of("SELECT FROM recruiting.organizations WHERE id = $1 FOR NO KEY UPDATE", pg::params{}.id(on.id)),
            find_user("x@y.example", "X"),
            state_of("SELECT recruiting.release_expired_key_name($1, 'x')", pg::params{}.id(on.id))};
    }
    using states = std::vector<std::string>;
    states const refused{denied, denied, "nothing", "nothing", denied, denied};
};

} // namespace

TEST_CASE_METHOD(fixture, "without a session that lives the worker console changes nothing", "[roles]") {
    claim(organization, nullptr);
    CHECK(try_all(organization) == refused);
    digest const unknown{};
    claim(organization, &unknown);
    CHECK(try_all(organization) == refused);
    owner.run("UPDATE recruiting.console_sessions SET idle_expires_at = now() WHERE hash = $1",
              pg::params{}.bytes(bytes_of(admin)));
    claim(organization, &admin);
    CHECK(try_all(organization) == refused);
}

TEST_CASE_METHOD(fixture, "with a viewer's session nothing is changed, whatever role is claimed", "[roles]") {
    claim(organization, &viewer);
    CHECK(try_all(organization) == refused);
    CHECK(insert_key(organization.id, id_of(email("vic"))) == denied);
}

TEST_CASE_METHOD(fixture, "a session opens no other organization than its own", "[roles]") {
    claim(other.organization, &admin);
    CHECK(try_all(other.organization) == states{denied, denied, "nothing", "nothing", "", denied});
    CHECK(insert_key(organization.id, member_of(other.organization)) == denied);
    CHECK(insert_key(other.organization.id, member_of(organization)) == denied);
}

TEST_CASE_METHOD(fixture, "an admin's session opens nothing to other workers", "[roles]") {
    claim(organization, &admin);
    auto const* const worker = GENERATE("", "last_use", "agent", "mailer", "sign_in", "session_use");
    set("worker", worker);
    CHECK(try_all(organization) == refused);
}

TEST_CASE_METHOD(fixture, "a recruiter's session makes the recruiter's keys alone", "[roles]") {
    claim(organization, &recruiter);
    CHECK(insert_key(organization.id, id_of(email("rea"))).empty());
    CHECK(insert_key(organization.id, member_of(organization)) == denied);
    CHECK(insert_key(organization.id, id_of(email("rea")), "368") == denied);
    CHECK(insert_key(organization.id, id_of(email("rea")), "-1") == denied);
    CHECK(insert_member(organization.id) == denied);
    CHECK(state_of("UPDATE recruiting.memberships SET role = 'admin'") == denied);
    CHECK(find_user("x@y.example", "X") == denied);
}

TEST_CASE_METHOD(fixture, "an admin's session invites and changes members, and nothing else of them", "[roles]") {
    claim(organization, &admin);
    CHECK(insert_member(organization.id).empty());
    CHECK(insert_member(organization.id, "active") == denied); // nobody joins but by their own mail
    CHECK(insert_member(other.organization.id) == denied);
    CHECK(state_of("UPDATE recruiting.memberships SET title = 'T' WHERE id = $1", pg::params{}.id(id_of(email("rea"))))
              .empty());
    for (std::string const column : {"organization_id = $1", "user_id = $1", "id = $1"})
        CHECK(state_of("UPDATE recruiting.memberships SET " + column, pg::params{}.id(other.organization.id)) ==
              denied);
    CHECK(state_of("DELETE FROM recruiting.memberships") == denied);
    CHECK(state_of("UPDATE recruiting.organizations SET updated_at = now()") == denied); // it may lock the row only
    CHECK(state_of("UPDATE recruiting.users SET name = 'X'") == denied);
}

TEST_CASE_METHOD(fixture, "an admin's session finds a person by address, and reads nothing of them", "[roles]") {
    claim(organization, &admin);
    CHECK(find_user(other.email("admin"), "Another name").empty());
    CHECK(find_user(other.email("admin"), std::nullopt) == denied);
    CHECK(attacker.run("SELECT FROM recruiting.users WHERE email_key = $1", pg::params{}.text(other.email("admin")))
              .empty());
    CHECK(owner.run("SELECT name FROM recruiting.users WHERE email_key = $1", pg::params{}.text(other.email("admin")))
              .text(0, 0) == name_given_elsewhere);
}

TEST_CASE_METHOD(fixture, "an admin who demotes themselves changes nothing more in the same transaction", "[roles]") {
    claim(organization, &admin);
    pg::transaction const one(attacker);
    CHECK(state_of("UPDATE recruiting.memberships SET role = 'viewer' WHERE id = $1",
                   pg::params{}.id(member_of(organization)))
              .empty());
    CHECK(state_of("UPDATE recruiting.memberships SET role = 'admin'") == "nothing");
}

} // namespace console_changes_test
