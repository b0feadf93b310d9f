// migrate makes the search terms of candidates again where other rules made them: in batches, interrupted, beside
// changes.
#include "recruitctl/commands/migrations.hpp"
#include "recruitctl/doctor/check.hpp"
#include "support/catch.hpp"
#include "support/database.hpp"
#include "support/directory.hpp"
#include "support/search_samples.hpp"

#include <atomic>
#include <future>

namespace search_terms_test {
using namespace recruiting;
using namespace recruiting::recruitctl;
using namespace recruiting::test;
using namespace std::chrono_literals;

namespace {

constexpr auto fill = R"sql(
INSERT INTO recruiting.candidates (id, organization_id, name, tags)
SELECT gen_random_uuid(), o.id, 'Łucja 山田花子 ' || n, '{Maß}' FROM recruiting.organizations o, generate_series(1, 50) AS n;
)sql";

// As the rules before: letters that do not decompose stay, and runs are one term. One candidate has a term too many.
constexpr auto make_old = R"sql(
UPDATE recruiting.candidate_terms SET term = 'łucja' WHERE term = 'lucja';
UPDATE recruiting.candidate_terms SET term = 'maß' WHERE term = 'mass';
DELETE FROM recruiting.candidate_terms WHERE term IN ('田花子', '花子', '子');
UPDATE recruiting.search_folding SET version = '0';
)sql";

constexpr auto wrong_terms = R"sql(
WITH wanted AS (
    SELECT c.id, t.kind, t.term FROM recruiting.candidates c,
           LATERAL recruiting.terms_of_candidate(c.name, c.email, c.current_title, c.current_company, c.tags) AS t
), there AS (SELECT candidate_id, kind, term FROM recruiting.candidate_terms)
SELECT (SELECT count(*) FROM (SELECT * FROM wanted EXCEPT SELECT * FROM there) AS missing)
     + (SELECT count(*) FROM (SELECT * FROM there EXCEPT SELECT * FROM wanted) AS left_over)
)sql";

struct old_terms {
    old_terms() {
        make_organization(owner, slug);
        owner.script(fill);
        owner.script(make_old);
        REQUIRE(wrong() == 50 * 7);
    }
    std::int64_t wrong() { return owner.run(wrong_terms).integer(0, 0); }
    std::string version() { return std::string(owner.run("SELECT version FROM recruiting.search_folding").text(0, 0)); }
    std::int64_t rebuild(int most) {
        return owner.run("SELECT recruiting.rebuild_candidate_terms($1::int)", pg::params().integer(most))
            .integer(0, 0);
    }
    static int migrate(pg::client& as, lock_waiting const& waiting = {}) {
        return apply_migrations(as, read_migrations(migrations_directory()), {}, waiting);
    }

    test_database database;
    pg::client& owner = database.owner();
    std::string slug = new_slug();
};

doctor::outcome schema_as_doctor_sees_it(old_terms const& f) {
    settings own;
    own["RECRUITING_DATABASE_URL"] = f.database.owner_url();
    doctor::site site("/nonexistent", own);
    site.migrations = read_migrations(migrations_directory());
    site.limit = 20s;
    return doctor::schema_version(site, {});
}

} // namespace

TEST_CASE("terms of other rules are made again, and doctor warns until they are", "[migrate][search]") {
    old_terms f;
    auto const before = schema_as_doctor_sees_it(f);
    CHECK(before.is == doctor::verdict::warning);
    CHECK(before.text.find("search terms") != std::string::npos);
    lock_waiting waiting;
    std::string said;
    waiting.report = [&](std::string const& sentence) { said = sentence; };
    CHECK(old_terms::migrate(f.owner, waiting) == 0);
    CHECK(f.wrong() == 0);
    CHECK(said == "search terms of 50 candidates made again");
    CHECK(f.version() == f.owner.run("SELECT recruiting.search_folding_version()").text(0, 0));
    CHECK(schema_as_doctor_sees_it(f).is == doctor::verdict::ok);
    said.clear();
    CHECK(old_terms::migrate(f.owner, waiting) == 0);
    CHECK(said.empty());
}

TEST_CASE("an interrupted run continues after its last batch, and begins again for another version",
          "[migrate][search]") {
    old_terms f;
    CHECK(f.rebuild(20) == 20);
    CHECK(f.wrong() == 30 * 7);
    {
        pg::client killed(f.database.owner_url());
        killed.script("BEGIN");
        killed.run("SELECT recruiting.rebuild_candidate_terms(20)");
    } // its connection ends within the batch
    CHECK(f.wrong() == 30 * 7);
    CHECK(f.version() == "0");
    CHECK(f.rebuild(20) == 20);
    CHECK(f.rebuild(20) == 10);
    CHECK(f.wrong() == 0);
    CHECK(f.rebuild(20) == 0);
    CHECK(f.version() != "0");

    f.owner.script(make_old);
    CHECK(f.rebuild(20) == 20);
    f.owner.script("UPDATE recruiting.search_folding SET next_version = 'of a server that is gone'");
    CHECK(f.rebuild(100) == 50);
    CHECK(f.wrong() == 0);
}

TEST_CASE("candidates change while their terms are made again, and have those of their last change",
          "[migrate][search]") {
    old_terms f;
    pg::client changing(f.database.owner_url());
    changing.script("BEGIN; UPDATE recruiting.candidates SET name = 'Straßer' WHERE name LIKE '%7'");
    std::atomic<int> waits{0};
    lock_waiting waiting;
    waiting.report = [&](std::string const& sentence) {
        waits += sentence.find("needs a lock") != sentence.npos ? 1 : 0;
    };
    pg::client client(f.database.owner_url());
    auto migrating = std::async(std::launch::async, [&] { return old_terms::migrate(client, waiting); });
    auto const until = std::chrono::steady_clock::now() + 60s;
    while (waits == 0 && std::chrono::steady_clock::now() < until) std::this_thread::sleep_for(10ms);
    CHECK(waits > 0);
    CHECK(f.version() == "0");
    changing.script("COMMIT");
    CHECK(migrating.get() == 0);
    CHECK(f.wrong() == 0);
    CHECK(f.owner.run("SELECT count(*) FROM recruiting.candidate_terms WHERE term = 'strasser'").integer(0, 0) == 5);
}

TEST_CASE("the locale of a database changes no search", "[migrate][search]") {
    std::string samples;
    for (auto const& [text, queries] : search_samples) {
        samples += text + '\n';
        for (auto const& query : queries) samples += query + '\n';
    }
    auto const words = [&](pg::client& as) {
        return std::string(as.run("SELECT string_agg(recruiting.search_words(line)::text, ',') "
                                  "FROM regexp_split_to_table($1::text, '\n') AS line",
                                  pg::params().text(samples))
                               .text(0, 0));
    };
    test_database here;
    auto const expected = words(here.owner());
    pg::client superuser(here.superuser_url());
    auto const name = here.name() + "_other";
    for (std::string const locale :
         {"LC_COLLATE 'C' LC_CTYPE 'C'",
          "LOCALE_PROVIDER icu ICU_LOCALE 'tr-TR' LC_COLLATE 'C.UTF-8' LC_CTYPE 'C.UTF-8'"}) {
        superuser.script("CREATE DATABASE " + name + " TEMPLATE template0 " + locale);
        {
            auto url = here.superuser_url();
            url.replace(url.find(here.name()), here.name().size(), name);
            pg::client other(url);
            old_terms::migrate(other);
            CAPTURE(locale);
            CHECK(words(other) == expected);
        }
        superuser.script("DROP DATABASE " + name + " WITH (FORCE)");
    }
}

} // namespace search_terms_test
