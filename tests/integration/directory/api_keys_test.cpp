// API keys as operations (proto-docs/keys.md).
#include "directory/api_keys.hpp"

#include "core/text.hpp"
#include "support/catch.hpp"
#include "support/database.hpp"
#include "support/directory.hpp"

#include <algorithm>
#include <thread>

namespace api_keys_test {
using namespace recruiting;
using namespace recruiting::directory;
using recruiting::test::make_member;
using recruiting::test::make_organization;
using recruiting::test::new_slug;
using recruiting::test::shared_database;
using recruiting::test::test_key_settings;
using namespace std::chrono_literals;

namespace {

struct fixed_clock : time_source {
    timestamp at = parse_time("2026-03-01T12:00:00Z").value();
    [[nodiscard]] timestamp now() const override { return at; }
};

struct fixture {
    pg::client& database = shared_database().owner();
    std::string slug = new_slug();
    organization in = make_organization(database, slug);
    std::string admin = "admin@" + slug + ".example";
    new_api_key wanted{admin, "warehouse", {"jobs:read"}, 24h, {}};

    [[nodiscard]] result<created_api_key> create() const {
        return create_api_key(database, slug, wanted, test_key_settings());
    }
    void expire(uuid const& key) const {
        database.run("UPDATE recruiting.api_keys SET expires_at = clock_timestamp() WHERE id = $1",
                     pg::params{}.id(key));
    }
    /// What authenticate reads of this secret.
    [[nodiscard]] std::string presented(std::string const& secret) const {
        pg::transaction const one(database);
        database.run("SELECT set_config('recruiting.secret_hash', $1, true)",
                     pg::params{}.text(to_hex(bytes_of(hash_secret(test_key_settings().pepper, secret)))));
        auto const found =
            database.run("SELECT revoked_at IS NULL, expires_at <= now() FROM recruiting.presented_credential");
        return std::string(found.boolean(0, 0) ? "not revoked, " : "revoked, ") +
               (found.boolean(0, 1) ? "expired" : "alive");
    }
    [[nodiscard]] std::vector<std::string> reasons() const {
        auto const made = create();
        std::vector<std::string> out;
        if (made.has_error())
            for (auto const& detail : made.error().details) out.push_back(detail.field + ":" + detail.reason);
        return out;
    }
};

using list = std::vector<std::string>;

} // namespace

TEST_CASE_METHOD(fixture, "a key is stored hashed, with its prefix, scopes and expiry", "[directory]") {
    wanted.scopes = {"jobs:*", "*:read", "jobs:*"};
    wanted.allowed_ips = {"10.0.0.0/8", "2001:db8::/32", "203.0.113.7"};
    fixed_clock const clock;
    auto const made = create_api_key(database, slug, wanted, test_key_settings(), {}, clock);
    REQUIRE(made.has_value());
    auto const& key = made->key;
    REQUIRE(made->secret.size() == 48);
    REQUIRE(classify_secret(made->secret, environment::test) == secret_shape::well_formed);
    REQUIRE(key.displayed_prefix == made->secret.substr(0, 12));
    REQUIRE(key.scopes == list{"jobs:*", "*:read"});
    REQUIRE(key.allowed_ips == list{"10.0.0.0/8", "2001:db8::/32", "203.0.113.7/32"});
    REQUIRE(key.expires_at == clock.at + 24h);
    REQUIRE(key.owner_email == admin);
    REQUIRE(key.environment == "test");
    auto const stored = database.run("SELECT secret_hash, (k.*)::text FROM recruiting.api_keys k WHERE id = $1",
                                     pg::params{}.id(key.id));
    REQUIRE(stored.bytes(0, 0) == bytes_of(hash_secret(test_key_settings().pepper, made->secret)));
    REQUIRE(stored.text(0, 1).find(made->secret.substr(12)) == std::string_view::npos);
    auto const audited = database.run("SELECT action, target_type, (a.*)::text FROM audit_rows a "
                                      "WHERE target_id = $1",
                                      pg::params{}.text(to_string(key.id)));
    REQUIRE(audited.size() == 1);
    REQUIRE(audited.text(0, 0) == "key.created");
    REQUIRE(audited.text(0, 1) == "api_key");
    REQUIRE(audited.text(0, 2).find(made->secret) == std::string_view::npos);
}

TEST_CASE_METHOD(fixture, "everything wrong with a key is told at once", "[directory]") {
    wanted = {"nobody@example.com", "", {"jobs:write", "nope"}, 1min, {"10.0.0.1/8"}};
    REQUIRE(reasons() == list{"name:invalid_value", "expiresAt:invalid_value", "scopes:unknown_scope",
                              "scopes:unknown_scope", "allowedIps:invalid_value", "owner:not_a_member"});
    wanted.scopes = {};
    REQUIRE(reasons()[2] == "scopes:missing");
    REQUIRE(create_api_key(database, "no-such-slug", wanted, test_key_settings()).error().code ==
            error_code::not_found);
}

TEST_CASE_METHOD(fixture, "names have 1 to 120 characters", "[directory]") {
    wanted.name = std::string(121, 'n');
    REQUIRE(reasons() == list{"name:invalid_value"});
    wanted.name = "";
    for (int i = 0; i < 120; ++i) wanted.name += "ü";
    REQUIRE(reasons().empty());
}

TEST_CASE_METHOD(fixture, "expiry is 1 hour to 366 days ahead", "[directory]") {
    for (auto const lifetime : std::vector<std::chrono::milliseconds>{0ms, 1h - 1ms, std::chrono::days{366} + 1ms}) {
        wanted.lifetime = lifetime;
        REQUIRE(reasons() == list{"expiresAt:invalid_value"});
    }
    wanted.lifetime = 1h;
    REQUIRE(reasons().empty());
    wanted.name += " 2";
    wanted.lifetime = std::chrono::days{366};
    REQUIRE(reasons().empty());
}

TEST_CASE_METHOD(fixture, "a name is unique among the keys neither revoked nor expired", "[directory]") {
    auto const first = create();
    REQUIRE(first.has_value());
    REQUIRE(reasons() == list{"name:taken"});
    auto const other = new_slug();
    make_organization(database, other);
    auto elsewhere = wanted;
    elsewhere.owner_email = "admin@" + other + ".example";
    REQUIRE(create_api_key(database, other, elsewhere, test_key_settings()).has_value());
    REQUIRE(revoke_api_key(database, slug, first->key.id).has_value());
    REQUIRE(create().has_value());
}

TEST_CASE_METHOD(fixture, "viewers, interviewers and who is no member now get no keys", "[directory]") {
    for (auto const held : {role::viewer, role::interviewer}) {
        wanted.owner_email = std::string(to_string(held)) + "@" + slug + ".example";
        make_member(database, slug, wanted.owner_email, held);
        REQUIRE(reasons() == list{"owner:insufficient_role"});
    }
    for (auto const held : {role::recruiter, role::hiring_manager}) {
        wanted.owner_email = std::string(to_string(held)) + "@" + slug + ".example";
        wanted.name = to_string(held);
        wanted.scopes = {"*"}; // more than the role allows may be granted, and gives nothing
        make_member(database, slug, wanted.owner_email, held);
        REQUIRE(reasons().empty());
    }
    REQUIRE(remove_member(database, slug, wanted.owner_email).has_value());
    wanted.name = "late";
    REQUIRE(reasons() == list{"owner:not_a_member"});
    REQUIRE(list_api_keys(database, slug)->front().owner_active == false);
    REQUIRE(state_of(list_api_keys(database, slug)->front(), system_time().now()) == "inactive");
}

TEST_CASE_METHOD(fixture, "a key is revoked by ID or by name, once", "[directory]") {
    auto const by_id = create();
    wanted.name = "by name";
    auto const by_name = create();
    auto const first = revoke_api_key(database, slug, by_id->key.id);
    REQUIRE_FALSE(first->already);
    REQUIRE(first->key.revoked_at.has_value());
    auto const again = revoke_api_key(database, slug, by_id->key.id);
    REQUIRE(again->already);
    REQUIRE(again->key.revoked_at == first->key.revoked_at);
    REQUIRE(revoke_api_key(database, slug, std::string("by name"))->key.id == by_name->key.id);
    REQUIRE(revoke_api_key(database, slug, std::string("by name"))->already);
    REQUIRE(list_api_keys(database, slug)->empty());
    REQUIRE(list_api_keys(database, slug, true)->size() == 2);
    auto const audited = database.run("SELECT count(*) FROM audit_rows WHERE organization_id = $1 "
                                      "AND action = 'key.revoked'",
                                      pg::params{}.id(in.id));
    REQUIRE(audited.integer(0, 0) == 2);
    // A new key of the name, and the name means that one.
    auto const reborn = create();
    REQUIRE(revoke_api_key(database, slug, std::string("by name"))->key.id == reborn->key.id);
}

TEST_CASE_METHOD(fixture, "a key expires at the time given, 1 hour to 366 days ahead", "[directory]") {
    fixed_clock const clock;
    auto const at = [&](timestamp expires) {
        wanted.expires_at = expires;
        wanted.name = to_string(random_id());
        return create_api_key(database, slug, wanted, test_key_settings(), {}, clock);
    };
    REQUIRE(at(clock.at + 1h)->key.expires_at == clock.at + 1h);
    REQUIRE(at(clock.at + std::chrono::days{366})->key.expires_at == clock.at + std::chrono::days{366});
    for (auto const wrong : {clock.at + 1h - 1ms, clock.at + std::chrono::days{366} + 1ms, clock.at - 1h})
        REQUIRE(at(wrong).error().details.front().field == "expiresAt");
}

TEST_CASE_METHOD(fixture, "the name of an expired key can be used again, and the key stays expired", "[directory]") {
    auto const first = create();
    REQUIRE(first.has_value());
    expire(first->key.id);
    auto const second = create();
    REQUIRE(second.has_value());
    REQUIRE(reasons() == list{"name:taken"});
    auto const now = system_time().now();
    std::string states;
    for (auto const& key : *list_api_keys(database, slug)) states += std::string(state_of(key, now)) + ' ';
    REQUIRE(states == "active expired ");
    REQUIRE(presented(first->secret) == "not revoked, expired");

    auto const revoked = revoke_api_key(database, slug, first->key.id);
    REQUIRE(revoked->already); // it has expired: nothing to do
    REQUIRE_FALSE(revoked->key.revoked_at);
    REQUIRE(revoke_api_key(database, slug, wanted.name)->key.id == second->key.id); // the name means the newer one
    REQUIRE(revoke_api_key(database, slug, wanted.name)->key.id == second->key.id);
    REQUIRE(create().has_value());
}

TEST_CASE_METHOD(fixture, "of two creations at once under an expired key's name one gets it", "[directory]") {
    for (int round = 0; round < 5; ++round) {
        wanted.name = "round " + std::to_string(round);
        expire(create()->key.id);
        std::vector<int> made(6);
        std::vector<std::thread> threads;
        for (auto& one : made)
            threads.emplace_back([&] {
                pg::client client(shared_database().owner_url());
                one = create_api_key(client, slug, wanted, test_key_settings()).has_value() ? 1 : 0;
            });
        for (auto& thread : threads) thread.join();
        REQUIRE(std::count(made.begin(), made.end(), 1) == 1);
    }
}

TEST_CASE_METHOD(fixture, "a member has a bounded number of working keys, however many are made at once",
                 "[directory]") {
    auto few = test_key_settings();
    few.per_member = 3;
    auto const make = [&](pg::client& by, std::string const& name) {
        auto one = wanted;
        one.name = name;
        return create_api_key(by, slug, one, few);
    };
    expire(make(database, "expired")->key.id);
    REQUIRE(revoke_api_key(database, slug, make(database, "revoked")->key.id).has_value());
    std::vector<std::string> outcomes(8);
    {
        std::vector<std::jthread> makers;
        for (std::size_t i = 0; i < outcomes.size(); ++i)
            makers.emplace_back([&, i] {
                pg::client client(shared_database().owner_url());
                auto const made = make(client, "at once " + std::to_string(i));
                outcomes[i] = made ? "made" : made.error().details.at(0).reason;
            });
    }
    REQUIRE(std::ranges::count(outcomes, "made") == 3);
    REQUIRE(std::ranges::count(outcomes, "too_many_keys") == 5);
    auto const other = "other@" + slug + ".example";
    make_member(database, slug, other, role::recruiter);
    wanted.owner_email = other;
    REQUIRE(make(database, "of another").has_value());
    REQUIRE(list_api_keys(database, slug, false, other)->size() == 1);
    REQUIRE(list_api_keys(database, slug, false, admin)->size() == 4); // the expired one too
    REQUIRE(list_api_keys(database, slug, false, "nobody@example.com").error().code == error_code::not_found);
    wanted.owner_email = admin;
    REQUIRE(revoke_api_key(database, slug, list_api_keys(database, slug, false, admin)->front().id).has_value());
    REQUIRE(make(database, "in its place").has_value());
}

TEST_CASE_METHOD(fixture, "a revoked key can't be passed off as an expired one that works", "[directory]") {
    auto const key = create();
    REQUIRE(revoke_api_key(database, slug, key->key.id).has_value());
    REQUIRE_THROWS_AS(
        database.run("UPDATE recruiting.api_keys SET name_released = true WHERE id = $1", pg::params{}.id(key->key.id)),
        pg::query_error);
    REQUIRE(database
                .run("SELECT has_column_privilege('recruiting_auth', 'recruiting.api_keys', 'name_released', "
                     "'UPDATE')")
                .boolean(0, 0) == false);
}

TEST_CASE_METHOD(fixture, "another organization's key and one that never was are the same refusal", "[directory]") {
    auto const key = create();
    auto const other = new_slug();
    make_organization(database, other);
    REQUIRE(revoke_api_key(database, other, key->key.id).error().code == error_code::not_found);
    REQUIRE(revoke_api_key(database, other, wanted.name).error().code == error_code::not_found);
    REQUIRE(revoke_api_key(database, slug, random_id()).error().code == error_code::not_found);
    REQUIRE(revoke_api_key(database, slug, std::string("WAREHOUSE")).error().code == error_code::not_found);
    REQUIRE(list_api_keys(database, slug)->size() == 1);
}

TEST_CASE_METHOD(fixture, "two revocations at once: one does it", "[directory]") {
    auto const key = create();
    std::vector<int> already(4);
    std::vector<std::thread> threads;
    for (auto& seen : already)
        threads.emplace_back([&] {
            pg::client client(shared_database().owner_url());
            seen = revoke_api_key(client, slug, wanted.name)->already ? 1 : 0;
        });
    for (auto& thread : threads) thread.join();
    REQUIRE(std::count(already.begin(), already.end(), 0) == 1);
}

TEST_CASE("a key's state: revoked before expired before inactive", "[directory]") {
    auto const now = parse_time("2026-03-01T12:00:00Z").value();
    api_key key;
    key.expires_at = now + 1us;
    REQUIRE(state_of(key, now) == "active");
    key.owner_active = false;
    REQUIRE(state_of(key, now) == "inactive");
    key.expires_at = now; // at the time itself it is expired
    REQUIRE(state_of(key, now) == "expired");
    key.revoked_at = now;
    REQUIRE(state_of(key, now) == "revoked");
}

} // namespace api_keys_test
