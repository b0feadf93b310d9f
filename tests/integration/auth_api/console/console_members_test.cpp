// Members as admins invite and change them in the console.
#include "auth_api/console/endpoints.hpp"
#include "integration/auth_api/console/changes.hpp"
#include "integration/auth_api/harness.hpp"
#include "integration/support/http_server_harness.hpp"
#include "support/catch.hpp"

#include <boost/json/parse.hpp>
#include <map>
#include <thread>

namespace console_members_test {
using namespace recruiting;
using namespace recruiting::test;
using namespace recruiting::auth_api::console;

namespace {

using lines = std::vector<std::string>;

std::string text(boost::json::object const& of, std::string_view name) { return std::string(of.at(name).as_string()); }

struct fixture : console_changes {
    explicit fixture(void (*adjust)(change_pool_settings&) = nullptr) : console_changes(shared_database(), adjust) {}
    digest const recruiter = join("rea", role::recruiter);

    std::string invitation(std::string const& name, std::string const& held = "recruiter") const {
        return R"({"email":")" + email(name) + R"(","name":"Name of )" + name + R"(","role":")" + held + R"("})";
    }
    boost::json::object member(change_outcome const& made) const {
        REQUIRE_FALSE(made.error.has_value());
        return boost::json::parse(made.answer.body).as_object().at("data").as_object();
    }
    boost::json::object invite(std::string const& name) {
        auto const made = call({invite_member, admin, {}, invitation(name)});
        REQUIRE(made.answer.status == 201);
        return member(made);
    }
    std::string id_of(std::string const& address) {
        auto const found = directory::list_members(owner, slug, true).value();
        for (auto const& one : found)
            if (one.email == address) return to_string(one.id);
        throw std::runtime_error("no such member");
    }
    std::string by_admin(std::string const& action) const { return action + " member " + email("admin") + " admin"; }
    std::int64_t invitations_waiting(std::string const& id) {
        return owner
            .run("SELECT count(*) FROM recruiting.mail_outbox WHERE membership_id = $1 AND kind = 'invitation' AND "
                 "status = 'waiting' AND organization_id = $2 AND audience = 'member' AND user_id IS NOT NULL",
                 pg::params{}.id(parse_id(id).value()).id(organization.id))
            .integer(0, 0);
    }
};

struct patient_fixture : fixture {
    patient_fixture()
        : fixture([](change_pool_settings& how) {
              how.lock_timeout = how.statement_timeout = how.change_timeout = std::chrono::seconds{20};
          }) {}
};

} // namespace

TEST_CASE_METHOD(fixture, "an admin invites a person: status invited, a mail, an audit row", "[console]") {
    auto const made = invite("new");
    CHECK(text(made, "status") == "invited");
    CHECK(text(made, "role") == "recruiter");
    CHECK(text(made, "name") == "Name of new");
    CHECK(made.at("deletedAt").is_null());
    CHECK(made.size() == 9);
    auto const id = text(made, "id");
    CHECK(invitations_waiting(id) == 1);
    CHECK(owner
              .run("SELECT invited_by FROM recruiting.mail_outbox WHERE membership_id = $1",
                   pg::params{}.id(parse_id(id).value()))
              .id(0, 0) == parse_id(id_of(email("admin"))).value());
    CHECK(audited(id) == lines{by_admin("member.invited")});
    CHECK(outcome({invite_member, admin, {}, invitation("NEW")}) == "400 email taken");
    CHECK(outcome({invite_member, admin, {}, invitation("rea")}) == "400 email taken");
}

TEST_CASE_METHOD(fixture, "a person of another organization is invited without a second person being made",
                 "[console]") {
    console_changes other;
    auto const body = R"({"email":")" + other.email("admin") + R"(","name":"Other name","role":"viewer"})";
    auto const made = member(call({invite_member, admin, {}, body}));
    CHECK(text(made, "status") == "invited");
    CHECK(
        owner.run("SELECT count(*) FROM recruiting.users WHERE email_key = $1", pg::params{}.text(other.email("admin")))
            .integer(0, 0) == 1);
    // They have the name that this organization gave: the address tells it nothing about them.
    CHECK(text(made, "name") == "Other name");
    auto const key = make_key(owner, slug, email("admin"), {"*"}).secret;
    auth_api_harness const service{database.auth_url()};
    auto const listed = [&] {
        auto const answer = service.get("/members?sort=name&status=invited,active", key);
        auto const answered = boost::json::parse(answer.body);
        std::map<std::string, std::string> names;
        for (auto const& one : answered.at("data").as_array())
            names[text(one.as_object(), "id")] = text(one.as_object(), "name");
        return names.at(text(made, "id"));
    };
    CHECK(listed() == "Other name");
    owner.run("UPDATE recruiting.memberships SET status = 'active', invitation_open = false WHERE id = $1",
              pg::params{}.id(parse_id(text(made, "id")).value()));
    CHECK(listed() == "Other name"); // also when they have come in
    CHECK(directory::list_members(owner, other.slug).value().at(0).name == "Member admin");
    // And changing the member there is none of this organization's affairs.
    CHECK(outcome({change_member, other.admin, text(made, "id"), R"({"role":"admin"})"}) == "404 not_found");
}

TEST_CASE_METHOD(fixture, "an invitation is in the language that was wanted, also when it is sent again", "[console]") {
    auto const body = R"({"email":")" + email("neu") + R"(","name":"Neu","role":"viewer","language":"de"})";
    auto const id = text(member(call({invite_member, admin, {}, body})), "id");
    owner.run("UPDATE recruiting.mail_outbox SET status = 'sent', finished_at = now() WHERE membership_id = $1",
              pg::params{}.id(parse_id(id).value()));
    REQUIRE(outcome({renew_invitation, admin, id}) == "202");
    auto const found = owner.run("SELECT language FROM recruiting.mail_outbox WHERE membership_id = $1",
                                 pg::params{}.id(parse_id(id).value()));
    REQUIRE(found.size() == 2);
    CHECK(found.text(0, 0) == "de");
    CHECK(found.text(1, 0) == "de");
    auto const wrong = R"({"email":"a@b.example","name":"N","role":"viewer","language":"pt"})";
    CHECK(outcome({invite_member, admin, {}, wrong}) == "400 language not_allowed");
}

TEST_CASE_METHOD(patient_fixture, "an admin who is demoted while their change waits changes nothing", "[console]") {
    auto const second = join("second", role::admin);
    auto const id = id_of(email("rea"));
    auto const late = text(invite("late"), "id");
    owner.run("UPDATE recruiting.mail_outbox SET status = 'sent', finished_at = now() WHERE membership_id = $1",
              pg::params{}.id(parse_id(late).value()));
    auto const function = GENERATE(renew_invitation, remove_member, change_member);
    console_call const wanted{function, second, function == renew_invitation ? late : id, R"({"role":"viewer"})"};
    auto const rows_before = audited(wanted.id);
    std::string answered;
    {
        pg::transaction demotion(owner);
        owner.run("SELECT FROM recruiting.organizations WHERE slug = $1 FOR NO KEY UPDATE", pg::params{}.text(slug));
        std::thread waits([&] { answered = outcome(wanted); });
        CHECK(eventually([&] { return database.has_lock_waiter(); }));
        owner.run("UPDATE recruiting.memberships SET role = 'viewer' WHERE id = $1",
                  pg::params{}.id(parse_id(id_of(email("second"))).value()));
        demotion.commit();
        waits.join();
    }
    CHECK(answered == "403 insufficient_role");
    CHECK(audited(wanted.id) == rows_before);
    CHECK(invitations_waiting(late) == 0);
    CHECK(directory::list_members(owner, slug).value().size() == 4);
}

TEST_CASE_METHOD(fixture, "who never joined is invited again when they are restored", "[console]") {
    auto const id = text(invite("late"), "id");
    REQUIRE(outcome({remove_member, admin, id}) == "200");
    CHECK(text(member(call({restore_member, admin, id})), "status") == "invited");
    CHECK(invitations_waiting(id) == 1);
}

TEST_CASE_METHOD(fixture, "an organization's invitations are limited by the hour, in total and to an address",
                 "[console]") {
    auto& limits = config->console;
    limits.invitations_per_organization = 3;
    limits.invitations_per_address = 1;
    auto const id = text(invite("one"), "id");
    auto const refused = call({renew_invitation, admin, id});
    REQUIRE(refused.error.has_value());
    CHECK(refused.error->code == error_code::rate_limited);
    CHECK(refused.error->details.at(0).reason == "invitations");
    CHECK(refused.error->retry_after_seconds >= 1);
    CHECK(refused.error->retry_after_seconds <= 3600);
    CHECK(outcome({invite_member, admin, {}, invitation("one+tag")}) == "429 rate_limited"); // the same mailbox
    static_cast<void>(invite("two"));
    static_cast<void>(invite("three"));
    CHECK(outcome({invite_member, admin, {}, invitation("four")}) == "429 rate_limited");
    CHECK(directory::list_members(owner, slug).value().size() == 5);
}

TEST_CASE_METHOD(fixture, "invitations of others to an address neither refuse nor show in one's own", "[console]") {
    config->console.invitations_per_address = 3;
    auto const id = text(invite("one"), "id");
    REQUIRE(outcome({renew_invitation, admin, id}) == "202");
    REQUIRE(outcome({renew_invitation, admin, id}) == "202");
    REQUIRE(outcome({renew_invitation, admin, id}) == "429 rate_limited");
    fixture other;
    other.config->console.invitations_per_address = 3;
    auto const theirs = other.member(other.call({invite_member, other.admin, {}, invitation("one")}));
    auto const their_id = text(theirs, "id");
    CHECK(other.invitations_waiting(their_id) == 1); // the first of an organization is always mailed
    owner.run("UPDATE recruiting.mail_outbox SET status = 'sent', finished_at = now() WHERE membership_id = $1",
              pg::params{}.id(parse_id(their_id).value()));
    CHECK(other.outcome({renew_invitation, other.admin, their_id}) == "202");
    REQUIRE(other.outcome({remove_member, other.admin, their_id}) == "200");
    CHECK(text(other.member(other.call({restore_member, other.admin, their_id})), "status") == "invited");
    CHECK(other.invitations_waiting(their_id) == 0); // accepted, and no further mail
    CHECK(other.outcome({renew_invitation, other.admin, their_id}) == "429 rate_limited");
}

TEST_CASE_METHOD(fixture,
                 "an invitation beyond what all organizations send to an address is mailed again in the next "
                 "hour",
                 "[console]") {
    config->console.invitations_per_address = 1;
    static_cast<void>(invite("one"));
    fixture other;
    other.config->console.invitations_per_address = 2;
    auto const id = text(other.member(other.call({invite_member, other.admin, {}, invitation("one")})), "id");
    owner.run("UPDATE recruiting.mail_outbox SET status = 'sent', finished_at = now() WHERE membership_id = $1",
              pg::params{}.id(parse_id(id).value()));
    REQUIRE(other.outcome({renew_invitation, other.admin, id}) == "202");
    REQUIRE(other.invitations_waiting(id) == 0);
    owner.run("DELETE FROM recruiting.sign_in_counts");
    CHECK(other.outcome({renew_invitation, other.admin, id}) == "202");
    CHECK(other.invitations_waiting(id) == 1);
}

TEST_CASE_METHOD(fixture, "a removed member who is invited again comes in by the mail", "[console]") {
    auto const id = id_of(email("rea"));
    REQUIRE(outcome({remove_member, admin, id}) == "200");
    auto const again = member(call({invite_member, admin, {}, invitation("rea", "viewer")}));
    CHECK(text(again, "id") == id);
    CHECK(text(again, "status") == "invited");
    CHECK(text(again, "role") == "viewer");
    CHECK(invitations_waiting(id) == 1);
}

TEST_CASE_METHOD(fixture, "whoever is removed or demoted acts in that role from the next request on", "[console]") {
    auto const second = join("second", role::admin);
    auto const id = id_of(email("second"));
    REQUIRE(outcome({change_member, admin, id, R"({"role":"recruiter"})"}) == "200");
    CHECK(outcome({invite_member, second, {}, invitation("x")}) == "403 insufficient_role");
    REQUIRE(outcome({remove_member, admin, id}) == "200");
    CHECK(outcome({invite_member, second, {}, invitation("x")}).starts_with("401"));
    CHECK(outcome({create_key, second, {}, "{}"}).starts_with("401"));
}

TEST_CASE_METHOD(fixture, "no role but admin changes members, whatever is sent", "[console]") {
    auto const held = GENERATE(role::recruiter, role::hiring_manager, role::interviewer, role::viewer);
    auto const session = join("other", held);
    auto const id = id_of(email("rea"));
    for (auto const function : {change_member, remove_member, restore_member, renew_invitation})
        CHECK(outcome({function, session, id, R"({"x":1})"}) == "403 insufficient_role");
    CHECK(outcome({invite_member, session, {}, "{}"}) == "403 insufficient_role");
}

} // namespace console_members_test
