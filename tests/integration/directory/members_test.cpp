// Members as operations: adding, roles, removal and the way back, the last admin.
#include "directory/organizations.hpp"
#include "support/catch.hpp"
#include "support/database.hpp"
#include "support/directory.hpp"

#include <thread>

namespace members_test {
using namespace recruiting;
using namespace recruiting::directory;
using recruiting::test::make_member;
using recruiting::test::make_organization;
using recruiting::test::new_slug;
using recruiting::test::shared_database;

namespace {

struct fixture {
    pg::client& database = shared_database().owner();
    std::string slug = new_slug();
    organization in = make_organization(database, slug);
    std::string admin = "admin@" + slug + ".example";

    [[nodiscard]] std::string email(std::string const& who) const { return who + "@" + slug + ".example"; }
    /// The audit rows' actions for this member, in order.
    [[nodiscard]] std::vector<std::string> audited(uuid const& member_id) const {
        auto const found = database.run("SELECT action, success, actor_type, target_type FROM audit_rows "
                                        "WHERE organization_id = $1 AND target_id = $2 ORDER BY occurred_at",
                                        pg::params{}.id(in.id).text(to_string(member_id)));
        std::vector<std::string> actions;
        for (int row = 0; row < found.size(); ++row) {
            REQUIRE(found.boolean(row, 1));
            REQUIRE(found.text(row, 2) == "system");
            REQUIRE(found.text(row, 3) == "member");
            actions.emplace_back(found.text(row, 0));
        }
        return actions;
    }
};

std::string reason(api_error const& error) { return error.details.empty() ? "" : error.details.front().reason; }

} // namespace

TEST_CASE_METHOD(fixture, "a member is added with a role and an audit row", "[directory]") {
    auto const added = add_member(database, slug, {email("Bob"), "Bob B", role::recruiter, "Sourcer"});
    REQUIRE(added.has_value());
    REQUIRE(added->action == "member.added");
    REQUIRE(added->now.status == "active");
    REQUIRE(added->now.held == role::recruiter);
    REQUIRE(added->now.title == "Sourcer");
    REQUIRE(audited(added->now.id) == std::vector<std::string>{"member.added"});
    auto const again = add_member(database, slug, {email("BOB"), "Other", role::viewer, {}});
    REQUIRE(again.has_error());
    REQUIRE(reason(again.error()) == "taken");
}

TEST_CASE_METHOD(fixture, "one person can be a member of several organizations", "[directory]") {
    auto const other = new_slug();
    make_organization(database, other);
    auto const here = add_member(database, slug, {email("carol"), "Carol", role::recruiter, {}});
    auto const there = add_member(database, other, {email("CAROL"), std::nullopt, role::viewer, {}});
    REQUIRE(here.has_value());
    REQUIRE(there.has_value());
    REQUIRE(there->now.name == "Carol");
    REQUIRE(there->now.id != here->now.id);
    REQUIRE(remove_member(database, other, email("carol")).has_value());
    REQUIRE(list_members(database, slug)->size() == 2);
    REQUIRE(list_members(database, other)->size() == 1);
}

TEST_CASE_METHOD(fixture, "each organization names its members, and corrects a name for itself alone", "[directory]") {
    auto const other = new_slug();
    make_organization(database, other);
    REQUIRE(invite_member(database, other, {email("zoe"), "Pay at evil.example", role::viewer, {}}).has_value());
    auto const here = add_member(database, slug, {email("zoe"), "Zoe", role::viewer, {}});
    REQUIRE(here->now.name == "Zoe");
    REQUIRE(set_member_name(database, slug, email("ZOE"), "Zoe Z")->now.name == "Zoe Z");
    REQUIRE(set_member_name(database, slug, email("zoe"), "Zoe Z")->action.empty());
    REQUIRE(reason(set_member_name(database, slug, email("zoe"), " ").error()) == "invalid_value");
    REQUIRE(audited(here->now.id) == std::vector<std::string>{"member.added", "member.name_changed"});
    auto const names = [&](std::string_view of) {
        std::vector<std::string> out;
        for (auto const& one : list_members(database, of).value()) out.push_back(one.name);
        return out;
    };
    REQUIRE(names(other) == std::vector<std::string>{"Member admin", "Pay at evil.example"});
    REQUIRE(names(slug) == std::vector<std::string>{"Member admin", "Zoe Z"});
    REQUIRE(remove_member(database, slug, email("zoe")).has_value());
    REQUIRE(reason(set_member_name(database, slug, email("zoe"), "Z").error()) == "removed");
    REQUIRE(add_member(database, slug, {email("zoe"), "Zoe Q", role::viewer, {}})->now.name == "Zoe Q");
}

TEST_CASE_METHOD(fixture, "values that are wrong are told at once", "[directory]") {
    auto const refused = add_member(database, slug, {"nobody", "", role::viewer, ""});
    REQUIRE(refused.has_error());
    REQUIRE(refused.error().details.size() == 3);
    REQUIRE(reason(add_member(database, slug, {email("new"), {}, role::viewer, {}}).error()) == "missing");
    REQUIRE(add_member(database, "no-such-slug", {email("new"), "N", role::viewer, {}}).error().code ==
            error_code::not_found);
}

TEST_CASE_METHOD(fixture, "removal keeps the row, adding again revives it with the given role", "[directory]") {
    auto const first = make_member(database, slug, email("dan"), role::recruiter);
    auto const removed = remove_member(database, slug, email("dan"));
    REQUIRE(removed->now.status == "removed");
    REQUIRE(removed->now.removed_at.has_value());
    REQUIRE(remove_member(database, slug, email("dan"))->action.empty());
    REQUIRE(reason(set_member_role(database, slug, email("dan"), role::viewer).error()) == "removed");
    REQUIRE(list_members(database, slug)->size() == 1);
    REQUIRE(list_members(database, slug, true)->size() == 2);

    auto const revived = add_member(database, slug, {email("dan"), {}, role::viewer, {}});
    REQUIRE(revived->action == "member.restored");
    REQUIRE(revived->now.id == first.id);
    REQUIRE(revived->now.held == role::viewer);
    REQUIRE_FALSE(revived->now.removed_at.has_value());
    REQUIRE(audited(first.id) == std::vector<std::string>{"member.added", "member.removed", "member.restored"});
}

TEST_CASE_METHOD(fixture, "restoring gives the former role back", "[directory]") {
    auto const member = make_member(database, slug, email("eve"), role::hiring_manager);
    REQUIRE(restore_member(database, slug, email("eve"))->action.empty());
    REQUIRE(remove_member(database, slug, email("eve")).has_value());
    auto const restored = restore_member(database, slug, email("eve"));
    REQUIRE(restored->action == "member.restored");
    REQUIRE(restored->now.id == member.id);
    REQUIRE(restored->now.held == role::hiring_manager);
}

TEST_CASE_METHOD(fixture, "roles change with an audit row, and only when they do", "[directory]") {
    auto const member = make_member(database, slug, email("fay"), role::viewer);
    REQUIRE(set_member_role(database, slug, email("FAY"), role::recruiter)->now.held == role::recruiter);
    REQUIRE(set_member_role(database, slug, email("fay"), role::recruiter)->action.empty());
    REQUIRE(audited(member.id) == std::vector<std::string>{"member.added", "member.role_changed"});
    REQUIRE(set_member_role(database, slug, email("nobody"), role::viewer).error().code == error_code::not_found);
}

TEST_CASE_METHOD(fixture, "the last admin can be neither demoted nor removed", "[directory]") {
    REQUIRE(reason(set_member_role(database, slug, admin, role::recruiter).error()) == "last_admin");
    REQUIRE(reason(remove_member(database, slug, admin).error()) == "last_admin");
    make_member(database, slug, email("second"), role::admin);
    REQUIRE(remove_member(database, slug, email("second")).has_value());
    // An admin who was removed does not count.
    REQUIRE(reason(remove_member(database, slug, admin).error()) == "last_admin");
    REQUIRE(restore_member(database, slug, email("second")).has_value());
    REQUIRE(set_member_role(database, slug, admin, role::viewer).has_value());
    REQUIRE(reason(remove_member(database, slug, email("second")).error()) == "last_admin");
}

TEST_CASE_METHOD(fixture, "two admins who leave at once: one stays", "[directory]") {
    for (int round = 0; round < 5; ++round) {
        auto const here = new_slug();
        make_organization(database, here);
        make_member(database, here, "second@" + here + ".example", role::admin);
        std::vector<std::string> const emails{"admin@" + here + ".example", "second@" + here + ".example"};
        std::vector<int> refused(2);
        std::vector<std::thread> threads;
        for (std::size_t i = 0; i < 2; ++i)
            threads.emplace_back([&, i] {
                pg::client client(shared_database().owner_url());
                auto const left = i == 0 ? remove_member(client, here, emails[i])
                                         : set_member_role(client, here, emails[i], role::viewer);
                refused[i] = left.has_error() ? 1 : 0;
            });
        for (auto& thread : threads) thread.join();
        REQUIRE(refused[0] + refused[1] == 1);
        auto const left = database.run("SELECT count(*) FROM recruiting.memberships m JOIN recruiting.organizations o "
                                       "ON o.id = m.organization_id WHERE o.slug = $1 AND m.role = 'admin' "
                                       "AND m.status = 'active'",
                                       pg::params{}.text(here));
        REQUIRE(left.integer(0, 0) == 1);
    }
}

TEST_CASE_METHOD(fixture, "the actor is in the audit row", "[directory]") {
    auto const boss = list_members(database, slug)->front();
    actor by;
    by.type = "member";
    by.member_id = boss.id;
    by.email = boss.email;
    by.role = "admin";
    auto const added = add_member(database, slug, {email("gus"), "Gus", role::viewer, {}}, by);
    auto const row = database.run("SELECT actor_type, actor_member_id, actor_email, actor_role FROM audit_rows "
                                  "WHERE target_id = $1",
                                  pg::params{}.text(to_string(added->now.id)));
    REQUIRE(row.text(0, 0) == "member");
    REQUIRE(row.id(0, 1) == boss.id);
    REQUIRE(row.text(0, 2) == boss.email);
    REQUIRE(row.text(0, 3) == "admin");
}

} // namespace members_test
