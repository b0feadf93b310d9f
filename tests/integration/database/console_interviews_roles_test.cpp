// What recruiting_auth may do to interviews as the worker `console`, whatever it claims: within the reach of a session
// that lives. console_changes_test has the same of keys and members.
#include "integration/auth_api/console/changes.hpp"
#include "pg/error.hpp"
#include "support/catch.hpp"

#include "core/text.hpp"

namespace console_interviews_roles_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

constexpr auto denied = "42501";

struct fixture : console_changes {
    digest const manager = join("max", role::hiring_manager);
    digest const interviewer = join("ida", role::interviewer);
    digest const viewer = join("vic", role::viewer);
    uuid const of_team = add_stage(true);
    uuid const of_others = add_stage(false);
    pg::client attacker{database.auth_url(), "tests"};

    uuid add_stage(bool on_team) {
        auto const job = new_record_id();
        auto const stage = new_record_id();
        owner.run("INSERT INTO recruiting.jobs (id, organization_id, title, status) VALUES ($1, $2, 'J', 'open')",
                  pg::params{}.id(job).id(organization.id));
        owner.run(
            "INSERT INTO recruiting.stages (id, organization_id, job_id, name, kind, position) VALUES ($1, $2, $3, "
            "'S', 'interview', 1)",
            pg::params{}.id(stage).id(organization.id).id(job));
        if (on_team)
            owner.run(
                "INSERT INTO recruiting.hiring_teams (organization_id, job_id, membership_id) VALUES ($1, $2, $3)",
                pg::params{}.id(organization.id).id(job).id(member("max")));
        return stage;
    }
    uuid member(std::string_view name) {
        return owner
            .run("SELECT m.id FROM recruiting.memberships m JOIN recruiting.users u ON u.id = m.user_id WHERE "
                 "u.email_key = $1",
                 pg::params{}.text(email(name)))
            .id(0, 0);
    }
    /// As a taken-over service would: an admin of the organization, beside a session.
    void claim(digest const* session) {
        auto const set = [&](std::string const& name, std::string const& value) {
            attacker.run("SELECT set_config('recruiting.' || $1, $2, false)", pg::params().text(name).text(value));
        };
        set("worker", "console");
        set("organization_id", to_string(organization.id));
        set("member_id", to_string(member("admin")));
        set("role", "admin");
        set("session_hash", session == nullptr ? "" : to_hex(bytes_of(*session)));
    }
    std::string state_of(std::string const& sql, pg::params const& values) {
        try {
            return attacker.run(sql, values).affected() > 0 ? "" : "nothing";
        } catch (pg::query_error const& error) {
            return error.sqlstate();
        }
    }
    std::string insert(uuid const& stage, std::string_view who = "ida") {
        return state_of(
            "INSERT INTO recruiting.interview_slots (id, organization_id, job_id, stage_id, membership_id, "
            "starts_at, ends_at) SELECT gen_random_uuid(), organization_id, job_id, id, $2, now() + interval '8 days' "
            "+ "
            "random() * interval '1 hour', now() + interval '8 days 2 hours' FROM recruiting.stages WHERE id = $1",
            pg::params{}.id(stage).id(member(who)));
    }
    uuid slot_of(uuid const& stage, std::string_view who) {
        auto const id = new_record_id();
        owner.run(
            "INSERT INTO recruiting.interview_slots (id, organization_id, job_id, stage_id, membership_id, starts_at, "
            "ends_at) SELECT $1, organization_id, job_id, id, $2, now() + interval '9 days', now() + interval '9 days "
            "1 hour' FROM recruiting.stages WHERE id = $3",
            pg::params{}.id(id).id(member(who)).id(stage));
        return id;
    }
    std::string close(uuid const& slot) {
        return state_of("UPDATE recruiting.interview_slots SET closed_at = now() WHERE id = $1", pg::params{}.id(slot));
    }
    std::string change(uuid const& stage) {
        return state_of("SELECT recruiting.change_stage_booking($1, true, 30)", pg::params{}.id(stage));
    }
    std::string lock(std::string_view who) {
        return state_of("SELECT FROM recruiting.memberships WHERE id = $1 FOR NO KEY UPDATE",
                        pg::params{}.id(member(who)));
    }
    std::string counts(uuid const& of) {
        return state_of("SELECT FROM recruiting.lock_slot_counts($1, $2, $3)",
                        pg::params{}.id(of).id(of_team).id(member("ida")));
    }
    std::string times(std::string_view who) {
        return state_of("SELECT FROM recruiting.interviewer_times($1, now(), 'infinity')",
                        pg::params{}.id(member(who)));
    }
};

} // namespace

TEST_CASE_METHOD(fixture, "an admin's session opens, closes and changes, and opens nothing again", "[roles]") {
    claim(&admin);
    CHECK(insert(of_others).empty());
    CHECK(change(of_others).empty());
    CHECK(lock("ida").empty());
    CHECK(times("ida").empty());
    CHECK(counts(organization.id).empty());
    auto const slot = slot_of(of_team, "ida");
    CHECK(close(slot).empty());
    CHECK(state_of("UPDATE recruiting.interview_slots SET closed_at = NULL WHERE id = $1", pg::params{}.id(slot)) ==
          denied);
    CHECK(state_of("UPDATE recruiting.interview_slots SET join_url = NULL WHERE id = $1", pg::params{}.id(slot)) ==
          denied);
    CHECK(state_of("UPDATE recruiting.stages SET bookable = true WHERE id = $1", pg::params{}.id(of_team)) == denied);
    console_changes other;
    CHECK(counts(other.organization.id) == "nothing");
    auto const stranger = owner.run("SELECT id FROM recruiting.memberships WHERE organization_id = $1",
                                    pg::params{}.id(other.organization.id));
    CHECK(
        state_of(
            "INSERT INTO recruiting.interview_slots (id, organization_id, job_id, stage_id, membership_id, starts_at, "
            "ends_at) SELECT gen_random_uuid(), organization_id, job_id, id, $2, now(), now() + interval '1 hour' "
            "FROM recruiting.stages WHERE id = $1",
            pg::params{}.id(of_team).id(stranger.id(0, 0))) == denied);
}

TEST_CASE_METHOD(fixture, "other sessions change what their role reaches, whatever is claimed", "[roles]") {
    auto const of_manager = slot_of(of_team, "ida");
    auto const of_interviewer = slot_of(of_others, "ida");
    auto const of_nobody = slot_of(of_others, "admin");
    SECTION("a hiring manager's") {
        claim(&manager);
        CHECK(insert(of_team).empty());
        CHECK(insert(of_others) == denied);
        CHECK(change(of_team).empty());
        CHECK(change(of_others) == denied);
        CHECK(close(of_manager).empty());
        CHECK(close(of_interviewer) == "nothing");
        CHECK(lock("ida").empty());
        CHECK(state_of("UPDATE recruiting.memberships SET role = 'admin' WHERE id = $1",
                       pg::params{}.id(member("max"))) == denied);
    }
    SECTION("an interviewer's") {
        claim(&interviewer);
        CHECK(insert(of_team) == denied);
        CHECK(change(of_team) == denied);
        CHECK(close(of_interviewer).empty());
        CHECK(close(of_nobody) == "nothing");
        CHECK(lock("ida") == "nothing");
        CHECK(times("ida") == "nothing");
        CHECK(counts(organization.id) == "nothing");
    }
    SECTION("a viewer's, and none") {
        claim(GENERATE(true, false) ? &viewer : nullptr);
        CHECK(insert(of_team) == denied);
        CHECK(change(of_team) == denied);
        CHECK(close(of_manager) == "nothing");
        CHECK(lock("ida") == "nothing");
        CHECK(times("ida") == "nothing");
        CHECK(counts(organization.id) == "nothing");
    }
}

TEST_CASE_METHOD(fixture, "requests that matched nobody are the booking worker's to write", "[roles]") {
    claim(&admin);
    auto const add = [&] {
        return state_of(
            "INSERT INTO recruiting.unmatched_booking_requests (id, organization_id, job_id, stage_id, email, "
            "email_key, starts_at, first_received_at, last_received_at) SELECT gen_random_uuid(), organization_id, "
            "job_id, "
            "id, 'a@b.example', 'a@b.example', now(), now(), now() FROM recruiting.stages WHERE id = $1",
            pg::params{}.id(of_team));
    };
    CHECK(add() == denied);
    attacker.run("SELECT set_config('recruiting.worker', 'booking', false)");
    CHECK(add().empty());
    attacker.run("SELECT set_config('recruiting.worker', 'console', false)");
    CHECK(state_of("SELECT FROM recruiting.unmatched_booking_requests", {}).empty());
    CHECK(state_of("DELETE FROM recruiting.unmatched_booking_requests", {}) == "nothing");
    attacker.run("SELECT set_config('recruiting.role', 'interviewer', false)");
    CHECK(state_of("SELECT FROM recruiting.unmatched_booking_requests", {}) == "nothing");
}

} // namespace console_interviews_roles_test
