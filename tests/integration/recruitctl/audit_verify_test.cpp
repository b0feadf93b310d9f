// Verification against PostgreSQL: each way to falsify the log is found.
#include "integration/auth_api/background/audit_harness.hpp"
#include "recruitctl/command.hpp"
#include "support/catch.hpp"

#include <boost/json.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace audit_verify_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

using discrepancies = std::vector<std::string>;

struct sealed_log : audit_log {
    sealed_log() {
        organizations.resize(1);
        insert(10);
        seal_all();
        REQUIRE(audit_log::discrepancies().empty());
    }
    static std::string row(int sequence) {
        return "(SELECT id FROM recruiting.audit_log WHERE sequence = " + std::to_string(sequence) + ")";
    }
};

} // namespace

TEST_CASE("a change of any column is found", "[audit]") {
    sealed_log log;
    auto const columns = log.database.owner().run(
        "SELECT attname::text, format_type(atttypid, NULL) FROM pg_attribute WHERE attrelid = "
        "'recruiting.audit_log'::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum");
    REQUIRE(columns.size() == 28);
    for (int i = 0; i < columns.size(); ++i) {
        std::string const name(columns.text(i, 0));
        std::string const type(columns.text(i, 1));
        if (name == "id" || name == "sequence" || name == "hash") continue;
        std::string value = "'member'";
        if (type == "uuid") value = "gen_random_uuid()";
        if (type == "boolean") value = "NOT " + name;
        if (type == "inet") value = "'198.51.100.7'";
        if (type == "smallint" || type == "integer" || type == "bigint") value = "coalesce(" + name + ", 0) + 1";
        if (type == "timestamp with time zone") value = name + " + interval '1 millisecond'";
        CAPTURE(name);
        auto& owner = log.database.owner();
        owner.run("CREATE TEMPORARY TABLE saved AS SELECT * FROM recruiting.audit_log WHERE id = " +
                  sealed_log::row(4));
        log.tamper("UPDATE recruiting.audit_log SET " + name + " = " + value + " WHERE id = " + sealed_log::row(4));
        auto const found = log.discrepancies();
        REQUIRE(!found.empty());
        CHECK(std::ranges::count(found, name == "organization_id" ? "removed 4" : "changed 4") == 1);
        log.tamper("UPDATE recruiting.audit_log l SET " + name + " = saved." + name +
                   " FROM saved WHERE l.id = saved.id; DROP TABLE saved");
        REQUIRE(log.discrepancies().empty());
    }
}

TEST_CASE("a changed hash is found", "[audit]") {
    sealed_log log;
    log.tamper("UPDATE recruiting.audit_log SET hash = sha256('forged') WHERE sequence = 4");
    CHECK(log.discrepancies() == discrepancies{"changed 4", "changed 5"});
    log.tamper("UPDATE recruiting.audit_log SET hash = '\\x00' WHERE sequence = 4");
    CHECK(log.discrepancies() == discrepancies{"changed 4", "changed 5"});
}

TEST_CASE("removed rows are found", "[audit]") {
    sealed_log log;
    log.tamper("DELETE FROM recruiting.audit_log WHERE sequence = 4");
    CHECK(log.discrepancies() == discrepancies{"removed 4"});
    log.tamper("DELETE FROM recruiting.audit_log WHERE sequence IN (1, 2)");
    CHECK(log.discrepancies() == discrepancies{"removed 1-2", "removed 4"});
    log.tamper("UPDATE recruiting.audit_log SET sequence = NULL WHERE sequence = 7");
    auto found = log.discrepancies();
    std::ranges::sort(found);
    CHECK(found == discrepancies{"added", "removed 1-2", "removed 4", "removed 7"});
}

TEST_CASE("reordered rows are found", "[audit]") {
    sealed_log log;
    SECTION("by their sequences") {
        log.tamper("UPDATE recruiting.audit_log SET sequence = CASE sequence WHEN 4 THEN 8 ELSE 4 END "
                   "WHERE sequence IN (4, 8)");
        CHECK(log.discrepancies() == discrepancies{"changed 4", "changed 5", "changed 8", "changed 9"});
    }
    SECTION("by their times") {
        log.tamper("UPDATE recruiting.audit_log l SET occurred_at = o.occurred_at FROM recruiting.audit_log o "
                   "WHERE l.sequence = 4 AND o.sequence = 8");
        CHECK(log.discrepancies() == discrepancies{"changed 4"});
    }
}

TEST_CASE("rows cut off the end are found", "[audit]") {
    sealed_log log;
    auto const kept = log.head(log.organizations[0]);
    log.tamper("DELETE FROM recruiting.audit_log WHERE sequence > 7");
    CHECK(log.discrepancies() == discrepancies{"cut_off 8-10"});
    log.tamper("UPDATE recruiting.audit_heads h SET sequence = 7, hash = s.hash "
               "FROM recruiting.audit_log s WHERE s.sequence = 7");
    CHECK(log.discrepancies().empty()); // nothing inside the database tells any more
    CHECK(log.discrepancies({}, {{log.organizations[0], kept}}) == discrepancies{"cut_off 8-10"});
    log.insert(5);
    log.seal_all();
    CHECK(log.discrepancies({}, {{log.organizations[0], kept}}) == discrepancies{"wrong_head 10"});
    log.tamper("DELETE FROM recruiting.audit_log; DELETE FROM recruiting.audit_heads");
    CHECK(log.discrepancies({}, {{log.organizations[0], kept}}) == discrepancies{"cut_off 1-10"});
}

TEST_CASE("a row put in past the intake is found", "[audit]") {
    sealed_log log;
    auto const forge = [&](std::string const& sequence) {
        log.tamper(
            "ALTER TABLE recruiting.audit_log DISABLE TRIGGER divert; "
            "INSERT INTO recruiting.audit_log (id, occurred_at, organization_id, actor_type, action, success, "
            "sequence, "
            "hash) SELECT gen_random_uuid(), occurred_at + interval '1 second', organization_id, 'system', 'forged', "
            "true, " +
            sequence + ", hash FROM recruiting.audit_log WHERE sequence = 4");
    };
    SECTION("without a sequence") {
        forge("NULL");
        CHECK(log.discrepancies() == discrepancies{"added"});
    }
    SECTION("with another's") {
        forge("4");
        auto const found = log.discrepancies();
        CHECK(std::ranges::count(found, "added 4") == 1);
    }
}

TEST_CASE("what waits in the intake is counted, of one organization or of all", "[audit]") {
    audit_log log;
    log.insert(30);
    log.seal_all();
    log.insert(6);
    CHECK(log.discrepancies().empty());
    CHECK(log.counts.unsealed == 6);
    CHECK(log.discrepancies(log.organizations[1]).empty());
    CHECK(log.counts.unsealed == 2);
}

TEST_CASE("one organization is checked alone", "[audit]") {
    audit_log log;
    log.insert(30);
    log.seal_all();
    log.tamper("UPDATE recruiting.audit_log SET success = false WHERE sequence = 5 AND organization_id = '" +
               to_string(log.organizations[1]) + "'");
    CHECK(log.discrepancies(log.organizations[0]).empty());
    CHECK(log.counts.sealed == 10);
    CHECK(log.discrepancies(log.organizations[1]) == discrepancies{"changed 5"});
    CHECK(log.discrepancies() == discrepancies{"changed 5"});
    CHECK(log.counts.sealed == 30);
}

TEST_CASE("audit head and audit verify as an operator calls them", "[audit][recruitctl]") {
    sealed_log log;
    auto& owner = log.database.owner();
    owner.run("INSERT INTO recruiting.organizations (id, slug, name) VALUES ($1, 'acme', 'Acme')",
              pg::params{}.id(log.organizations[0]));
    recruitctl::settings const environment{{"RECRUITING_DATABASE_URL", log.database.owner_url()}};
    std::string out;
    auto const call = [&](std::vector<std::string> const& arguments) {
        std::ostringstream to_out;
        std::ostringstream to_err;
        auto const code = recruitctl::run(recruitctl::all_commands(), arguments, environment, to_out, to_err);
        out = to_out.str() + to_err.str();
        return code;
    };
    auto const file = std::filesystem::temp_directory_path() / ("recruiting_head_" + new_request_id());
    for (auto const& arguments : {std::vector<std::string>{"audit", "head", "--json"},
                                  std::vector<std::string>{"audit", "head", "--organization", "acme", "--json"}}) {
        REQUIRE(call(arguments) == recruitctl::done);
        std::ofstream(file, std::ios::app) << out;
    }
    log.insert(1);
    REQUIRE(call({"audit", "verify", "--organization", "acme", "--head", file.string(), "--json"}) == recruitctl::done);
    auto const answer = boost::json::parse(out).as_object();
    CHECK(answer.at("intact").as_bool());
    CHECK(answer.at("sealedRows").as_int64() == 10);
    CHECK(answer.at("unsealedRows").as_int64() == 1);
    log.tamper("UPDATE recruiting.audit_log SET success = false WHERE id = " + sealed_log::row(4));
    CHECK(call({"audit", "verify", "--head", file.string()}) == recruitctl::failed);
    CHECK(out.find("changed  sequence 4  row ") == 0);
    CHECK(call({"audit", "verify", "--organization", "nobody"}) == recruitctl::failed);
    std::ofstream(file) << "{}\n";
    CHECK(call({"audit", "verify", "--head", file.string()}) == recruitctl::failed);
    CHECK(out.find("line 1") != std::string::npos);
    std::filesystem::remove(file);
}

} // namespace audit_verify_test
