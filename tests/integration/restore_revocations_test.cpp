// Keys that were revoked after the backup work again after a restore, until `key revoke --from` has revoked them;
// doctor warns until then (operations.md).
#include "core/text.hpp"
#include "recruitctl/commands.hpp"
#include "recruitctl/doctor/database_check.hpp"
#include "recruitctl/run.hpp"
#include "restore_dump.hpp"
#include "support/catch.hpp"
#include "support/directory.hpp"

#include <boost/json.hpp>

#include <fstream>
#include <sstream>

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

ctl::doctor::finding doctor_of(test_database& database) {
    pg::client own(database.owner_url(), "tests"); // doctor makes it read-only
    auto const facts = ctl::doctor::look_at_database(own, {});
    return ctl::doctor::check_restore(facts.restore).front();
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
    CHECK(doctor_of(w.database).what == ctl::doctor::verdict::ok);
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
    CHECK(warned.what == ctl::doctor::verdict::warning);
    CHECK(warned.mend.find("recruitctl key revoke --from FILE") != std::string::npos);

    REQUIRE(w.console(restored, {"key", "revoke", "--from", file.path.string(), "--json"}) == ctl::done);
    auto const told = boost::json::parse(w.console.out).as_object();
    CHECK(told.at("revoked").as_array().size() == 2);
    CHECK(told.at("alreadyRevoked").as_int64() == 0);
    CHECK(told.at("notInThisDatabase").as_int64() == 1);
    for (auto const& key : w.keys) CHECK(is_revoked(restored, key));
    CHECK_FALSE(is_revoked(restored, late));
    CHECK(doctor_of(restored).what == ctl::doctor::verdict::ok);
    auto const recorded =
        restored.owner().run("SELECT count(*) FROM recruiting.audit_log WHERE action = 'key.revoked'");
    CHECK(recorded.integer(0, 0) == 2);

    REQUIRE(w.console(restored, {"key", "revoke", "--from", file.path.string()}) == ctl::done); // harmless
    CHECK(w.console.out.find("0 revoked, 2 were revoked already, 1 are not in this database") == 0);
}

TEST_CASE("doctor warns after a restore over the same database, and after a promotion, until it is dismissed",
          "[restore][recruitctl]") {
    two_organizations w;
    dump const backup(w.database);
    backup.restore_over(w.database);
    CHECK(doctor_of(w.database).what == ctl::doctor::verdict::warning);
    REQUIRE(w.console(w.database, {"restore", "dismiss"}) == ctl::done);
    CHECK(doctor_of(w.database).what == ctl::doctor::verdict::ok);
    w.database.owner().run("UPDATE recruiting.database_identity SET timeline = timeline + 1"); // of before a promotion
    CHECK(doctor_of(w.database).text.find("on timeline 1, and was on 2") != std::string::npos);
    REQUIRE(w.console(w.database, {"restore", "dismiss", "--json"}) == ctl::done);
    CHECK(boost::json::parse(w.console.out).at("dismissed").as_bool());
    CHECK(doctor_of(w.database).what == ctl::doctor::verdict::ok);
    REQUIRE(w.console(w.database, {"restore", "dismiss", "--json"}) == ctl::done);
    CHECK_FALSE(boost::json::parse(w.console.out).at("dismissed").as_bool());
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
    CHECK(document.at("data").is_array()); // what the version before reads
    CHECK(document.at("revokedKeys").as_array().size() == 2);
    CHECK(parse_time(document.at("takenAt").as_string().c_str()).has_value());
    for (auto const& key : document.at("revokedKeys").as_array())
        CHECK(parse_time(key.at("revokedAt").as_string().c_str()).has_value());
}

TEST_CASE("a file of the version before is read for heads, and refused for revocations in words",
          "[restore][recruitctl]") {
    two_organizations w;
    kept_file file;
    file.add(R"({"data":[]})"
             "\n");
    CHECK(w.console(w.database, {"key", "revoke", "--from", file.path.string()}) == ctl::failed);
    CHECK(w.console.err.find("names no revoked keys") != std::string::npos);
    file.add("{\"takenAt\":\"2026-11-01T00:00:00.000Z\",\"data\":[],\"revokedKeys\":[{\"id\":\"x\"}]}\n");
    CHECK(w.console(w.database, {"key", "revoke", "--from", file.path.string()}) == ctl::failed);
    CHECK(w.console.err.find("line 2") != std::string::npos);
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
             R"(","organizationId":")" + to_string(globex) + R"(","revokedAt":"2026-11-01T00:00:00.000Z"}]})");
    REQUIRE(w.console(w.database, {"key", "revoke", "--from", file.path.string()}) == ctl::done);
    CHECK(w.console.out.find("0 revoked, 0 were revoked already, 1 are not in this database") == 0);
    CHECK_FALSE(is_revoked(w.database, w.keys[0]));
}
