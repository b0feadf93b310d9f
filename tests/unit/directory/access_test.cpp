// Who may change what, and what a change of a member does to their keys.
#include "directory/rules.hpp"
#include "support/catch.hpp"

namespace access_test {
using namespace recruiting;
using namespace recruiting::directory;

namespace {

timestamp const noon = parse_time("2026-03-01T12:00:00Z").value();

api_key key_of(role held, std::vector<std::string> scopes) {
    api_key key;
    key.owner_role = held;
    key.scopes = std::move(scopes);
    key.expires_at = noon + std::chrono::hours{1};
    return key;
}

scope_set set_of(std::vector<std::string> const& names) { return expand(names); }

actor member_with(role held) {
    actor by;
    by.type = "member";
    by.member_id = random_id();
    by.role = to_string(held);
    return by;
}

} // namespace

TEST_CASE("admins change members, operators too, and no other role", "[directory]") {
    CHECK_FALSE(refuse_unless_admin({}).has_value());
    CHECK_FALSE(refuse_unless_admin(member_with(role::admin)).has_value());
    for (auto const held : {role::recruiter, role::hiring_manager, role::interviewer, role::viewer}) {
        auto const refused = refuse_unless_admin(member_with(held));
        REQUIRE(refused.has_value());
        CHECK(refused->code == error_code::insufficient_role);
        CHECK(refused->details.at(0).field == "role");
    }
    auto without_role = member_with(role::admin);
    without_role.role.reset();
    CHECK(refuse_unless_admin(without_role).has_value());
}

TEST_CASE("viewers and interviewers own no keys", "[directory]") {
    for (auto const held : {role::admin, role::recruiter, role::hiring_manager})
        CHECK_FALSE(refuse_unless_key_owner(member_with(held)).has_value());
    for (auto const held : {role::interviewer, role::viewer})
        CHECK(refuse_unless_key_owner(member_with(held))->code == error_code::insufficient_role);
    CHECK_FALSE(refuse_unless_key_owner({}).has_value());
}

TEST_CASE("members reach their own keys, admins all", "[directory]") {
    auto const recruiter = member_with(role::recruiter);
    CHECK(reaches_key(recruiter, *recruiter.member_id));
    CHECK_FALSE(reaches_key(recruiter, random_id()));
    CHECK(reaches_key(member_with(role::admin), random_id()));
    CHECK(reaches_key({}, random_id()));
}

TEST_CASE("a demotion takes scopes away, a promotion gives those that were granted", "[directory]") {
    auto const key = key_of(role::admin, {"jobs:read", "billing:read", "candidates:*"});
    auto const down = effect_of(key, role::recruiter, noon);
    CHECK_FALSE(down.stops);
    CHECK(down.lost == set_of({"billing:read"}));
    CHECK(down.gained.none());
    auto const further = effect_of(key, role::viewer, noon);
    CHECK(further.lost == set_of({"billing:read", "candidates:read"}));
    auto const up = effect_of(key_of(role::recruiter, {"jobs:read", "billing:read"}), role::admin, noon);
    CHECK(up.lost.none());
    CHECK(up.gained == set_of({"billing:read"}));
    auto const same = effect_of(key, role::admin, noon);
    CHECK((same.lost.none() && same.gained.none() && !same.stops));
}

TEST_CASE("a key stops when its owner is removed, or when nothing is left of it", "[directory]") {
    auto const key = key_of(role::admin, {"billing:read"});
    auto const removed = effect_of(key, std::nullopt, noon);
    CHECK(removed.stops);
    CHECK(removed.lost == set_of({"billing:read"}));
    CHECK(effect_of(key, role::recruiter, noon).stops);
    // It opens nothing now either: removal still keeps it from being accepted, a role does not.
    auto const idle = key_of(role::viewer, {"billing:read"});
    CHECK_FALSE(effect_of(idle, role::interviewer, noon).stops);
    CHECK(effect_of(idle, std::nullopt, noon).stops);
}

TEST_CASE("what does not work now is not affected", "[directory]") {
    auto revoked = key_of(role::admin, {"*"});
    revoked.revoked_at = noon;
    auto expired = key_of(role::admin, {"*"});
    expired.expires_at = noon;
    auto inactive = key_of(role::admin, {"*"});
    inactive.owner_active = false;
    for (auto const& key : {revoked, expired, inactive})
        for (auto const becomes : {std::optional(role::viewer), std::optional<role>()}) {
            auto const effect = effect_of(key, becomes, noon);
            CHECK((!effect.stops && effect.lost.none() && effect.gained.none()));
        }
}

} // namespace access_test
