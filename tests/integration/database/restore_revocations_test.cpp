// Keys that were revoked after the backup work again after a restore, until `key revoke --from` has revoked them;
// doctor warns until then (backup.md).
#include "core/text.hpp"
#include "integration/database/restore_dump.hpp"
#include "recruitctl/command.hpp"
#include "recruitctl/doctor/check.hpp"
#include "support/catch.hpp"
#include "support/directory.hpp"

#include <boost/json.hpp>

#include <fstream>
#include <sstream>

namespace restore_revocations_test {
using namespace recruiting;
using namespace recruiting::test;
namespace ctl = recruiting::recruitctl;

namespace {

struct operators_console {
    int operator()(test_database const& database, std::vector<std::string> const& arguments) {
        ctl::settings const environment{{"RECRUITING_DATABASE_URL", database.owner_url()}};
        std::ostringstream to_out;
        std::ostringstream to_err;
        auto const code = ctl::run(ctl::all_commands(), arguments, environment, to_out, to_err);
        out = to_out.str();
        err = to_err.str();
        return code;
    }
    std::string out, err;
};

struct kept_file {
    kept_file() : path(std::filesystem::temp_directory_path() / ("recruiting_heads_" + new_slug())) {}
    ~kept_file() { std::filesystem::remove(path); }
    kept_file(kept_file const&) = delete;
    kept_file& operator=(kept_file const&) = delete;
    void add(std::string const& text) const { std::ofstream(path, std::ios::app) << text; }
    std::filesystem::path path;
};

ctl::doctor::outcome doctor_of(test_database const& database) {
    return ctl::doctor::restore_followed_up({"/nonexistent", {{"RECRUITING_DATABASE_URL", database.owner_url()}}}, {});
}

bool is_revoked(test_database& database, uuid const& key) {
    return database.owner()
        .run("SELECT revoked_at IS NOT NULL FROM recruiting.api_keys WHERE id = $1", pg::params().id(key))
        .boolean(0, 0);
}

/// Two organizations; a key of each is revoked after the backup.
struct two_organizations {
    two_organizations() {
        for (auto const* const slug : {"acme", "globex"}) {
            make_organization(database.owner(), slug);
            keys.push_back(
                make_key(database.owner(), slug, std::string("admin@") + slug + ".example", {"jobs:read"}).key.id);
        }
        REQUIRE(console(database, {"restore", "dismiss"}) == ctl::done); // a copy of the template
    }
    void revoke_all() {
        for (std::size_t i = 0; i < keys.size(); ++i)
            REQUIRE(console(database, {"key", "revoke", "--organization", i == 0 ? "acme" : "globex", "--id",
                                       to_string(keys[i])}) == ctl::done);
    }
    test_database database;
    std::vector<uuid> keys;
    operators_console console;
};

} // namespace

TEST_CASE("keys revoked after the backup are revoked again by what audit head had kept", "[restore][recruitctl]") {
    two_organizations w;
    CHECK(doctor_of(w.database).is == ctl::doctor::verdict::ok);
    auto const late =
        make_key(w.database.owner(), "acme", "admin@acme.example", {"jobs:read"}).key.id; // in both, never revoked
    dump const backup(w.database);
    auto const lost = make_key(w.database.owner(), "globex", "admin@globex.example", {"members:read"});
    kept_file file;
    REQUIRE(w.console(w.database, {"audit", "head", "--json"}) == ctl::done);
    file.add(w.console.out); // of before the revocations: several documents in a file
    w.revoke_all();
    REQUIRE(w.console(w.database, {"key", "revoke", "--organization", "globex", "--id", to_string(lost.key.id)}) ==
            ctl::done);
    REQUIRE(w.console(w.database, {"audit", "head", "--json"}) == ctl::done);
    file.add(w.console.out);

    test_database restored(migrated::no);
    backup.restore_into(restored);
    CHECK_FALSE(is_revoked(restored, w.keys[0]));
    auto const warned = doctor_of(restored);
    CHECK(warned.is == ctl::doctor::verdict::warning);
    CHECK(warned.text.find("restored from a dump") != std::string::npos);

    REQUIRE(w.console(restored, {"key", "revoke", "--from", file.path.string(), "--json"}) == ctl::done);
    auto const told = boost::json::parse(w.console.out).as_object();
    CHECK(told.at("revoked").as_array().size() == 2);
    CHECK(told.at("alreadyRevoked").as_int64() == 0);
    CHECK(told.at("notInThisDatabase").as_int64() == 1);
    for (auto const& key : w.keys) CHECK(is_revoked(restored, key));
    CHECK_FALSE(is_revoked(restored, late));
    CHECK(doctor_of(restored).is == ctl::doctor::verdict::ok);
    auto const recorded = restored.owner().run("SELECT count(*) FROM audit_rows WHERE action = 'key.revoked'");
    CHECK(recorded.integer(0, 0) == 2);

    REQUIRE(w.console(restored, {"key", "revoke", "--from", file.path.string()}) == ctl::done); // harmless
    CHECK(w.console.out.find("0 revoked, 2 were revoked already, 1 are not in this database") == 0);
}

TEST_CASE("doctor warns after a restore over the same database, and after a promotion, until it is dismissed",
          "[restore][recruitctl]") {
    two_organizations w;
    dump const backup(w.database);
    backup.restore_over(w.database);
    CHECK(doctor_of(w.database).is == ctl::doctor::verdict::warning);
    REQUIRE(w.console(w.database, {"restore", "dismiss"}) == ctl::done);
    CHECK(doctor_of(w.database).is == ctl::doctor::verdict::ok);
    w.database.owner().run("UPDATE recruiting.database_identity SET timeline = timeline + 1"); // of before a promotion
    CHECK(doctor_of(w.database).text.find("on timeline 1, and was on 2") != std::string::npos);
    REQUIRE(w.console(w.database, {"restore", "dismiss", "--json"}) == ctl::done);
    CHECK(boost::json::parse(w.console.out).at("dismissed").as_bool());
    CHECK(doctor_of(w.database).is == ctl::doctor::verdict::ok);
    REQUIRE(w.console(w.database, {"restore", "dismiss", "--json"}) == ctl::done);
    CHECK_FALSE(boost::json::parse(w.console.out).at("dismissed").as_bool());
}

TEST_CASE("doctor tells an upgrade with pg_upgrade from a restore into another server, until it is dismissed",
          "[restore][recruitctl]") {
    two_organizations w;
    w.database.owner().run("UPDATE recruiting.database_identity SET system_identifier = '1', timeline = timeline + 1");
    auto const warned = doctor_of(w.database);
    CHECK(warned.is == ctl::doctor::verdict::warning);
    CHECK(warned.text.find("upgraded with pg_upgrade") != std::string::npos);
    CHECK(warned.advice.find("recruitctl restore dismiss") == 0);
    w.database.owner().run("UPDATE recruiting.database_identity SET table_oid = 1");
    CHECK(doctor_of(w.database).text.find("restored from a dump") != std::string::npos);
    REQUIRE(w.console(w.database, {"restore", "dismiss", "--json"}) == ctl::done);
    CHECK(boost::json::parse(w.console.out).at("dismissed").as_bool());
    CHECK(doctor_of(w.database).is == ctl::doctor::verdict::ok);
}

TEST_CASE("the file of audit heads names revoked keys that have not expired, of all or one organization",
          "[restore][recruitctl]") {
    two_organizations w;
    auto const expired = make_key(w.database.owner(), "acme", "admin@acme.example", {"members:read"}).key.id;
    REQUIRE(w.console(w.database, {"key", "revoke", "--organization", "acme", "--id", to_string(expired)}) ==
            ctl::done);
    w.database.owner().run("UPDATE recruiting.api_keys SET created_at = now() - interval '2 days', "
                           "expires_at = now() - interval '1 day' WHERE id = $1",
                           pg::params().id(expired));
    w.revoke_all();
    REQUIRE(w.console(w.database, {"audit", "head", "--json"}) == ctl::done);
    auto const document = boost::json::parse(w.console.out).as_object();
    CHECK(document.at("data").is_array());
    CHECK(document.at("revokedKeys").as_array().size() == 2);
    CHECK(parse_time(document.at("takenAt").as_string().c_str()).has_value());
    for (auto const& key : document.at("revokedKeys").as_array())
        CHECK(parse_time(key.at("revokedAt").as_string().c_str()).has_value());
}

TEST_CASE("a file that is no output of audit head revokes nothing, and is refused in words", "[restore][recruitctl]") {
    two_organizations w;
    kept_file file;
    file.add("{\"takenAt\":\"2026-11-01T00:00:00.000Z\",\"data\":[],\"revokedKeys\":[],\"erasures\":[]}\n");
    CHECK(w.console(w.database, {"key", "revoke", "--from", file.path.string()}) == ctl::done);
    file.add("{\"data\":[]}\n");
    CHECK(w.console(w.database, {"key", "revoke", "--from", file.path.string()}) == ctl::failed);
    CHECK(w.console.err.find("line 2") != std::string::npos);
    kept_file unreadable;
    unreadable.add("{\"takenAt\":\"2026-11-01T00:00:00.000Z\",\"data\":[],\"revokedKeys\":[{\"id\":\"x\"}]}\n");
    CHECK(w.console(w.database, {"key", "revoke", "--from", unreadable.path.string()}) == ctl::failed);
    CHECK(w.console.err.find("line 1") != std::string::npos);
    for (auto const* const other : {"--organization", "--id", "--name"})
        CHECK(w.console(w.database, {"key", "revoke", "--from", file.path.string(), other, "x"}) == ctl::usage);
    CHECK(w.console(w.database, {"key", "revoke", "--id", to_string(w.keys[0])}) == ctl::usage);
}

TEST_CASE("a file that names a key under another organization revokes nothing", "[restore][recruitctl]") {
    two_organizations w;
    auto const globex =
        w.database.owner().run("SELECT id FROM recruiting.organizations WHERE slug = 'globex'").id(0, 0);
    kept_file file;
    file.add(R"({"takenAt":"2026-11-01T00:00:00.000Z","data":[],"revokedKeys":[{"id":")" + to_string(w.keys[0]) +
             R"(","organizationId":")" + to_string(globex) +
             R"(","revokedAt":"2026-11-01T00:00:00.000Z"}],"erasures":[]})");
    REQUIRE(w.console(w.database, {"key", "revoke", "--from", file.path.string()}) == ctl::done);
    CHECK(w.console.out.find("0 revoked, 0 were revoked already, 1 are not in this database") == 0);
    CHECK_FALSE(is_revoked(w.database, w.keys[0]));
}

TEST_CASE("a file older than the last confirmation, or of one organization, revokes what it names, and doctor warns on",
          "[restore][recruitctl]") {
    two_organizations w;
    dump const backup(w.database);
    w.revoke_all();
    kept_file of_all;
    kept_file of_one;
    REQUIRE(w.console(w.database, {"audit", "head", "--json"}) == ctl::done);
    of_all.add(w.console.out);
    REQUIRE(w.console(w.database, {"audit", "head", "--organization", "acme", "--json"}) == ctl::done);
    of_one.add(w.console.out);
    test_database restored(migrated::no);
    backup.restore_into(restored);
    auto const replay = [&](kept_file const& from) {
        REQUIRE(w.console(restored, {"key", "revoke", "--from", from.path.string(), "--json"}) == ctl::done);
        return boost::json::parse(w.console.out).as_object();
    };

    auto const one = replay(of_one);
    CHECK(one.at("revoked").as_array().size() == 1);
    CHECK(is_revoked(restored, w.keys[0]));
    CHECK_FALSE(is_revoked(restored, w.keys[1]));
    CHECK_FALSE(one.at("confirmed").as_bool());
    CHECK(std::string_view(one.at("unconfirmedReason").as_string()).find("single organizations") != std::string::npos);
    CHECK(doctor_of(restored).is == ctl::doctor::verdict::warning);

    SECTION("of before the last confirmation") {
        restored.owner().run("UPDATE recruiting.database_identity SET confirmed_at = clock_timestamp()");
        auto const old = replay(of_all);
        CHECK(old.at("revoked").as_array().size() == 1);
        CHECK(is_revoked(restored, w.keys[1]));
        CHECK_FALSE(old.at("confirmed").as_bool());
        CHECK(doctor_of(restored).is == ctl::doctor::verdict::warning);
        REQUIRE(w.console(restored, {"key", "revoke", "--from", of_all.path.string()}) == ctl::done);
        CHECK(w.console.err.find("doctor still warns") == 0);
        CHECK(w.console.err.find("before this database was last confirmed") != std::string::npos);
        CHECK(w.console.err.find("recruitctl restore dismiss") != std::string::npos);
        REQUIRE(w.console(restored, {"restore", "dismiss"}) == ctl::done);
    }
    SECTION("of all organizations and since then") { CHECK(replay(of_all).at("confirmed").as_bool()); }
    CHECK(doctor_of(restored).is == ctl::doctor::verdict::ok);
    REQUIRE(w.console(restored, {"key", "revoke", "--from", of_one.path.string()}) == ctl::done);
    CHECK(w.console.err.empty()); // there is no warning that could stay
}

TEST_CASE("audit head of an organization without sealed rows is an empty head, with its revoked keys",
          "[restore][recruitctl]") {
    two_organizations w;
    w.revoke_all();
    REQUIRE(w.console(w.database, {"audit", "head", "--organization", "globex", "--json"}) == ctl::done);
    auto const document = boost::json::parse(w.console.out).as_object();
    CHECK(document.at("organization").as_string() == "globex");
    CHECK(document.at("sequence").as_int64() == 0);
    REQUIRE(document.at("revokedKeys").as_array().size() == 1);
    CHECK(document.at("revokedKeys").as_array()[0].at("id").as_string() == to_string(w.keys[1]));
    kept_file file;
    file.add(w.console.out);
    CHECK(w.console(w.database, {"audit", "verify", "--organization", "globex", "--head", file.path.string()}) ==
          ctl::done);
    REQUIRE(w.console(w.database, {"audit", "head", "--organization", "globex"}) == ctl::done);
    CHECK(w.console.out.find("globex") != std::string::npos);
    CHECK(w.console(w.database, {"audit", "head", "--organization", "nobody"}) == ctl::failed);
}

TEST_CASE("doctor notices promotions again after hide_statistics.sql of an older version, once this one's has run",
          "[restore][recruitctl]") {
    two_organizations w;
    pg::client superuser(w.database.superuser_url(), "tests");
    superuser.script("REVOKE EXECUTE ON FUNCTION pg_control_system(), pg_control_checkpoint(), "
                     "pg_current_wal_insert_lsn() FROM PUBLIC");
    REQUIRE(w.console(w.database, {"restore", "dismiss"}) == ctl::done); // nothing is known
    CHECK(doctor_of(w.database).is == ctl::doctor::verdict::warning);
    CHECK(doctor_of(w.database).advice.find("hide_statistics.sql of this version") != std::string::npos);
    w.database.apply("hide_statistics.sql");
    CHECK(doctor_of(w.database).is == ctl::doctor::verdict::warning);
    CHECK(doctor_of(w.database).advice.find("recruitctl restore dismiss") == 0);
    REQUIRE(w.console(w.database, {"restore", "dismiss", "--json"}) == ctl::done);
    CHECK(boost::json::parse(w.console.out).at("dismissed").as_bool());
    CHECK(doctor_of(w.database).is == ctl::doctor::verdict::ok);
    w.database.owner().run("UPDATE recruiting.database_identity SET timeline = timeline + 1");
    CHECK(doctor_of(w.database).text.find("on timeline 1, and was on 2") != std::string::npos);
}

} // namespace restore_revocations_test
