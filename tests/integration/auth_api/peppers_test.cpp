// A pepper is rotated without a rejected request, and one that is not the database's makes auth-api unready in words.
#include "auth/session.hpp"
#include "auth_api/background/keys/peppers.hpp"
#include "auth_api/settings.hpp"
#include "integration/auth_api/background/audit_harness.hpp"
#include "integration/auth_api/console/browser.hpp"
#include "integration/auth_api/harness.hpp"
#include "integration/support/http_server_harness.hpp"
#include "support/catch.hpp"
#include "support/database.hpp"
#include "support/directory.hpp"

namespace peppers_test {
using namespace recruiting;
using namespace recruiting::test;
using namespace std::chrono_literals;

namespace {

std::string const old_pepper = test_key_settings().pepper;
std::string const new_pepper = "another pepper of thirty-two bytes or so";

auto with(std::string current, std::string previous = {}) {
    return [=](auth_api::settings& of) { of.peppers = {current, previous}; };
}

// An installation with one organization and a key of the tests' pepper.
struct installation {
    test_database database;
    std::string slug = new_slug();
    directory::organization organization = make_organization(database.owner(), slug);
    directory::created_api_key key = make("the key", old_pepper);

    directory::created_api_key make(std::string const& name, std::string const& pepper) {
        directory::new_api_key wanted;
        wanted.owner_email = "admin@" + slug + ".example";
        wanted.name = name;
        wanted.scopes = {"*"};
        wanted.lifetime = 24h;
        auto settings = test_key_settings();
        settings.pepper = pepper;
        auto made = directory::create_api_key(database.owner(), slug, wanted, settings);
        REQUIRE(made.has_value());
        return std::move(*made);
    }
    void adopt(std::string const& pepper) {
        database.owner().run("UPDATE recruiting.key_pepper SET fingerprint = $1",
                             pg::params().integer(pepper_fingerprint(pepper)));
    }
    [[nodiscard]] std::int64_t keys_under(std::string const& pepper) {
        auto const found =
            database.owner().run("SELECT count(*) FROM recruiting.api_keys WHERE pepper_fingerprint = $1",
                                 pg::params().integer(pepper_fingerprint(pepper)));
        return found.integer(0, 0);
    }
    [[nodiscard]] bool is_lost(std::string const& pepper) {
        pg::client service(database.auth_url());
        return service
            .run("SELECT recruiting.is_pepper_lost(ARRAY[$1::bigint])",
                 pg::params().integer(pepper_fingerprint(pepper)))
            .boolean(0, 0);
    }
    // What auth-api does with a key that was used, at once, and not also by its interval.
    void use(pepper_pair const& peppers, std::string const& secret) {
        event_loop loop;
        pg::pipeline connection(loop.context, loop.clock, workers_connection(database.auth_url()));
        auth_api::key_moves moves(loop.context, connection, peppers, 1h);
        pg::client service(database.auth_url());
        auto const presented = auth::present_key(peppers, secret);
        pg::transaction const read(service);
        auto const caller = auth::read_principal(service.run(auth::authenticate(presented)));
        REQUIRE(caller);
        loop.run_until([&] { return connection.ready(); });
        bool done = false;
        moves.note(*caller, presented);
        auto const flush = [&]() -> task<void> {
            co_await moves.flush();
            done = true;
        };
        spawn(loop.context, flush());
        loop.run_until([&] { return done; });
    }
};

} // namespace

TEST_CASE("two instances rotate the pepper, and the key works at each at every step", "[auth_api][pepper]") {
    installation i;
    auto const works = [&](auth_api_harness const& at) { return at.get("/me", i.key.secret).status; };
    {
        auth_api_harness const first(i.database.auth_url(), false, with(old_pepper, new_pepper)); // knows the next one
        auth_api_harness const second(i.database.auth_url(), false, with(old_pepper));
        CHECK(works(first) == 200);
        CHECK(works(second) == 200);
    }
    auth_api_harness const changed(i.database.auth_url(), false, with(new_pepper, old_pepper));
    auth_api_harness const waiting(i.database.auth_url(), false, with(old_pepper, new_pepper));
    auto const made = i.make("made meanwhile", new_pepper);
    for (auto const* const at : {&changed, &waiting}) {
        CHECK(works(*at) == 200);
        CHECK(at->get("/me", made.secret).status == 200);
    }
    CHECK(i.keys_under(old_pepper) == 1); // nothing moves before the operator says so
    i.adopt(new_pepper);
    REQUIRE(eventually([&] {
        REQUIRE(works(changed) == 200);
        REQUIRE(works(waiting) == 200);
        return i.keys_under(old_pepper) == 0;
    }));
    CHECK(works(waiting) == 200); // and does not move it back
    auth_api_harness const done(i.database.auth_url(), false, with(new_pepper));
    CHECK(works(done) == 200);
    CHECK(done.get("/me", made.secret).status == 200);
    auth_api_harness const cut_off(i.database.auth_url(), false, with(new_pepper));
    CHECK(cut_off.get("/me", generate_secret(environment::test)).status == 401);
}

TEST_CASE("another pepper than that of the keys in use makes auth-api unready until it is back",
          "[auth_api][pepper][readiness]") {
    installation i;
    auth_api_harness const right(i.database.auth_url(), false, with(old_pepper));
    CHECK(right.ready());
    i.adopt(new_pepper);
    i.make("of the other", new_pepper);
    CHECK(eventually([&] { return !right.ready(); })); // the database was exchanged, or moved on
    i.adopt(old_pepper);
    CHECK(eventually([&] { return right.ready(); }));
}

TEST_CASE("what makes the pepper lost: keys in use of the installation's, never those of an organization moved here",
          "[auth_api][pepper]") {
    installation i;
    CHECK(i.is_lost(new_pepper));
    CHECK_FALSE(i.is_lost(old_pepper));
    i.make("moved here", new_pepper);
    CHECK_FALSE(i.is_lost(old_pepper));
    CHECK(i.is_lost(new_pepper)); // one foreign key is no claim
    i.database.owner().run("UPDATE recruiting.api_keys SET revoked_at = now() WHERE name = 'the key'");
    CHECK_FALSE(i.is_lost(old_pepper)); // a tenant that revokes its keys takes nothing from the others
    CHECK_FALSE(i.is_lost(new_pepper));
}

TEST_CASE("a database of before learns its pepper from the first key that works", "[auth_api][pepper]") {
    installation i;
    i.database.owner().script("UPDATE recruiting.api_keys SET pepper_fingerprint = NULL;"
                              "UPDATE recruiting.key_pepper SET fingerprint = NULL");
    CHECK_FALSE(i.is_lost(new_pepper)); // not known yet
    i.make("made under a wrong pepper", new_pepper);
    CHECK_FALSE(i.is_lost(old_pepper)); // it claims nothing
    i.use({old_pepper, {}}, i.key.secret);
    CHECK(i.keys_under(old_pepper) == 1);
    CHECK(i.is_lost(new_pepper));
}

TEST_CASE("a key moves once, however many instances have seen it, and never away from the installation's pepper",
          "[auth_api][pepper]") {
    installation i;
    i.adopt(new_pepper);
    i.use({new_pepper, old_pepper}, i.key.secret);
    CHECK(i.keys_under(new_pepper) == 1);
    i.use({new_pepper, old_pepper}, i.key.secret);
    i.use({old_pepper, new_pepper}, i.key.secret); // of an instance that is not restarted yet
    CHECK(i.keys_under(new_pepper) == 1);
    auto const hash = i.database.owner().run("SELECT secret_hash FROM recruiting.api_keys");
    CHECK(hash.bytes(0, 0) == bytes_of(hash_secret(new_pepper, i.key.secret)));
}

TEST_CASE("a session of the previous pepper goes on, and signs out", "[console][session][pepper]") {
    console_system s(with(new_pepper, old_pepper));
    console_browser browser(s);
    auto const address = s.email("admin");
    REQUIRE(browser.sign_in(address).status == 201);
    auto const secret = browser.cookie.substr(browser.cookie.find('=') + 1);
    auto const stored = pg::params().bytes(bytes_of(auth::hash_session(old_pepper, secret)));
    REQUIRE(s.database.owner().run("UPDATE recruiting.console_sessions SET hash = $1", stored).affected() == 1);
    CHECK(browser.send("GET", "/session").status == 200);
    CHECK(browser.send("GET", "/api-keys").status == 200);
    CHECK(
        browser
            .send("POST", "/api-keys", R"({"name":"a key","scopes":["jobs:read"],"expiresAt":"2100-01-01T00:00:00Z"})")
            .status == 400);                         // it got as far as the key's expiry
    REQUIRE(browser.sign_in(address).status == 201); // the one before ends
    CHECK(s.value("SELECT count(*) FROM recruiting.console_sessions") == "1");
    CHECK(browser.send("DELETE", "/session").status == 204);
    CHECK(s.value("SELECT count(*) FROM recruiting.console_sessions") == "0");
}

} // namespace peppers_test
