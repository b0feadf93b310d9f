// The JSON of jobs and candidates that triggers keep in their rows.
#include "core/text.hpp"
#include "integration/database/prepared_records.hpp"
#include "support/catch.hpp"
#include "support/database.hpp"
#include "support/directory.hpp"

#include <set>

namespace prepared_records_test {
using namespace recruiting::test;

namespace {

struct records_fixture {
    records_fixture() : organization(make_organization(database.owner(), slug)) {}

    void change(std::string const& sql) { database.owner().script(sql); }
    std::string text_of(std::string const& sql) { return std::string(database.owner().run(sql).text(0, 0)); }
    uuid add_candidate() {
        auto const id = new_record_id();
        database.owner().run("INSERT INTO recruiting.candidates (id, organization_id, name) VALUES ($1, $2, 'Jo')",
                             pg::params().id(id).id(organization.id));
        return id;
    }
    uuid add_job() {
        auto const id = new_record_id();
        database.owner().run("INSERT INTO recruiting.jobs (id, organization_id, title) VALUES ($1, $2, 'Job')",
                             pg::params().id(id).id(organization.id));
        return id;
    }
    /// Every record says what its row does; how many there are.
    int check_records() {
        auto const candidates =
            database.owner().run("SELECT " + std::string(candidate_columns) + " FROM recruiting.candidates");
        for (int row = 0; row < candidates.size(); ++row)
            CHECK(record_of(candidates, row, candidate_row::record) == candidate_of(candidates, row));
        auto const jobs = database.owner().run("SELECT " + std::string(job_columns) + " FROM recruiting.jobs");
        for (int row = 0; row < jobs.size(); ++row) CHECK(record_of(jobs, row, job_row::record) == job_of(jobs, row));
        return candidates.size() + jobs.size();
    }
    /// Of all rows: what a sync goes by.
    std::string stamps() {
        return text_of("SELECT string_agg(concat(id, updated_at, changed_xid), ' ' ORDER BY id) FROM ("
                       "SELECT id, updated_at, changed_xid FROM recruiting.candidates UNION ALL "
                       "SELECT id, updated_at, changed_xid FROM recruiting.jobs UNION ALL "
                       "SELECT candidate_id, NULL, changed_xid FROM recruiting.job_candidates) AS every");
    }

    test_database database;
    std::string slug = new_slug();
    directory::organization organization;
};

void add(pg::params& params, std::optional<std::string> const& value) {
    if (value) params.text(*value);
    else params.null();
}

void add_odd_candidate(records_fixture& f, odd_values& odd) {
    auto params = pg::params().id(new_record_id()).id(f.organization.id).text(odd.text());
    for (int i = 0; i < 8; ++i) add(params, odd.maybe_text());
    params.text(odd.json_array()).text_array(odd.texts());
    for (int i = 0; i < 2; ++i) add(params, odd.maybe_time());
    add(params, odd.below(5) == 0 ? odd.maybe_time() : std::nullopt);
    f.database.owner().run(
        "INSERT INTO recruiting.candidates (id, organization_id, name, external_id, phone, current_title, "
        "current_company, location_name, location_city, location_region, source, location_country_code, links, tags, "
        "last_activity_at, created_at, deleted_at) VALUES ($1, $2, $3, $4::text || $1::uuid::text, $5, $6, $7, $8, $9, "
        "$10, $11, "
        "CASE WHEN length($3::text) % 2 = 0 THEN 'DE' END, $12::jsonb, $13::text[], $14::timestamptz, "
        "coalesce($15::timestamptz, now()), $16::timestamptz)",
        params);
}

void add_odd_job(records_fixture& f, odd_values& odd) {
    auto params = pg::params().id(new_record_id()).id(f.organization.id).text(odd.text());
    for (int i = 0; i < 6; ++i) add(params, odd.maybe_text());
    for (int i = 0; i < 4; ++i) add(params, odd.maybe_time());
    f.database.owner().run(
        "INSERT INTO recruiting.jobs (id, organization_id, title, external_id, requisition_id, department, "
        "location_name, location_city, location_region, published_at, closes_at, created_at, deleted_at, salary_min, "
        "salary_max, salary_currency, openings, published, salary_published, employment_type) "
        "SELECT $1, $2, $3, $4::text || $1::uuid::text, $5, $6, $7, $8, $9, $10::timestamptz, $11::timestamptz, "
        "coalesce($12::timestamptz, now()), $13::timestamptz, CASE WHEN n % 2 = 0 THEN 999999999999.125 END, "
        "CASE WHEN n % 3 = 0 THEN n * 0.250 END, CASE WHEN n % 5 = 0 THEN 'EUR' END, n, n % 2 = 1, n % 3 = 1, "
        "CASE WHEN n % 4 = 0 THEN 'part_time' END FROM (SELECT length($3::text) AS n) AS of_title",
        params);
}

} // namespace

TEST_CASE("a prepared record says what its row does, whatever the values", "[records]") {
    records_fixture f;
    odd_values odd(41);
    for (int i = 0; i < 200; ++i) {
        add_odd_candidate(f, odd);
        add_odd_job(f, odd);
    }
    CHECK(f.check_records() == 400);
    f.change("UPDATE recruiting.candidates SET deleted_at = NULL, links = '[]', tags = '{}'");
    CHECK(f.check_records() == 400);
}

TEST_CASE("a prepared record follows every column of its row that an answer shows", "[records]") {
    struct changed {
        std::string table;
        std::string columns; // "column = value", each by itself
        std::set<std::string> others;
    };
    auto const [table, columns, others] = GENERATE(
        changed{
            "candidates",
            "name='x'|external_id='x'|email='x@y',email_key='x@y'|phone='x'|current_title='x'|current_company='x'|"
            "location_name='x'|"
            "location_city='x'|location_region='x'|location_country_code='AT'|links='[{\"url\":\"x\"}]'|source='x'|"
            "tags='{x}'|last_activity_at='2020-01-01'|created_at='2020-01-01'|deleted_at='2020-01-01'",
            {"id", "organization_id", "sort_name", "email_key", "erased_at", "updated_at", "changed_xid", "record"}},
        changed{"jobs",
                "external_id='x'|title='x'|status='open'|requisition_id='x'|department='x'|location_name='x'|"
                "location_city='x'|location_region='x'|location_country_code='AT'|workplace_type='remote'|"
                "employment_type='contract'|openings=7|salary_min=20.50|salary_max=20.75|salary_currency='EUR'|"
                "salary_period='year'|salary_published=true|published=true|published_at='2020-01-01'|"
                "closes_at='2020-01-01'|opened_at='2020-01-01'|closed_at='2020-01-01'|hiring_team='[{\"role\":\"x\"}]'|"
                "created_at='2020-01-01'|deleted_at='2020-01-01'",
                {"id", "organization_id", "sort_title", "description_html", "description_text", "stages", "public_url",
                 "apply_url", "updated_at", "changed_xid", "record"}});
    records_fixture f;
    f.add_candidate();
    f.add_job();
    auto unchanged = others;
    std::string before;
    for (auto const change : split(columns, '|')) {
        INFO(table << ": " << change);
        f.change("UPDATE recruiting." + table + " SET " + std::string(change));
        CHECK(f.check_records() == 2);
        auto const record = f.text_of("SELECT record FROM recruiting." + table);
        CHECK(record != before);
        before = record;
        unchanged.insert(std::string(change.substr(0, change.find('='))));
    }
    // A new column belongs into the record, or into the list above.
    auto const all = f.database.owner().run("SELECT attname::text FROM pg_attribute WHERE attrelid = 'recruiting." +
                                            table + "'::regclass AND attnum > 0 AND NOT attisdropped");
    for (int row = 0; row < all.size(); ++row) {
        INFO(all.text(row, 0));
        CHECK(unchanged.contains(std::string(all.text(row, 0))));
    }
}

TEST_CASE("a prepared record follows what other triggers write: updated_at, published_at, the hiring team",
          "[records]") {
    records_fixture f;
    f.add_job();
    auto const team = [&] {
        return f.text_of("SELECT ('{' || record || '}')::json ->> 'hiringTeam' FROM recruiting.jobs");
    };
    CHECK(team() == "[]");
    make_key(f.database.owner(), f.slug, "admin@" + f.slug + ".example", {"*"});
    f.change("INSERT INTO recruiting.hiring_teams (organization_id, job_id, membership_id) SELECT j.organization_id, "
             "j.id, m.id FROM recruiting.jobs j, recruiting.memberships m");
    CHECK(team().find("hiring_manager") != std::string::npos);
    f.change("UPDATE recruiting.hiring_teams SET role = 'interviewer'");
    CHECK(team().find("interviewer") != std::string::npos);
    f.change("UPDATE recruiting.jobs SET published = true, status = 'open'");
    CHECK(f.check_records() == 1);
    f.change("DELETE FROM recruiting.hiring_teams");
    CHECK(team() == "[]");
    CHECK(f.check_records() == 1);
}

TEST_CASE("a salary is kept and shown as the exact number, and 0 to 0 is none", "[records]") {
    records_fixture f;
    f.add_job();
    auto const shown = [&](std::string const& min, std::string const& max) {
        f.change("UPDATE recruiting.jobs SET salary_min = " + min + ", salary_max = " + max);
        CHECK(f.check_records() == 1);
        return f.text_of("SELECT substring(record FROM '\"salary\":(.*),\"salaryPublished') FROM recruiting.jobs");
    };
    auto const none = R"("currency":null,"period":null})";
    CHECK(shown("20.75", "22.500") == std::string(R"({"min":20.75,"max":22.5,)") + none);
    CHECK(shown("60000.00", "1e12") == std::string(R"({"min":60000,"max":1000000000000,)") + none);
    CHECK(shown("0.00", "1.125") == std::string(R"({"min":0,"max":1.125,)") + none);
    for (auto const* nothing : {"0", "0.00", "NULL"}) CHECK(shown("0", nothing) == "null");
    for (auto const* wrong : {"-0.01", "20.7555", "1000000000000.001", "'NaN'", "'Infinity'"}) {
        INFO(wrong);
        for (auto const* column : {"salary_min", "salary_max"})
            CHECK_THROWS_AS(f.change("UPDATE recruiting.jobs SET " + std::string(column) + " = " + wrong),
                            pg::query_error);
    }
}

TEST_CASE("a deleted candidate's prepared record has nothing of the person", "[records]") {
    records_fixture f;
    f.add_candidate();
    f.change("UPDATE recruiting.candidates SET email = 'jo@mail.example', email_key = 'jo@mail.example', deleted_at = "
             "now()");
    CHECK(f.text_of("SELECT record FROM recruiting.candidates").find("jo@mail.example") == std::string::npos);
    CHECK(f.check_records() == 1);
    f.change("UPDATE recruiting.candidates SET deleted_at = NULL");
    CHECK(f.check_records() == 1);
}

TEST_CASE("an update of record alone writes it anew, and is no change for updated_at and syncs", "[records]") {
    records_fixture f;
    f.add_candidate();
    f.add_job();
    auto const before = f.stamps();
    f.change("UPDATE recruiting.candidates SET record = 'x'; UPDATE recruiting.jobs SET record = NULL");
    CHECK(f.stamps() == before);
    CHECK(f.check_records() == 2);
    f.change("UPDATE recruiting.candidates SET name = name");
    CHECK(f.stamps() != before);
    CHECK(f.check_records() == 2);
}

TEST_CASE("no row is without its record", "[records]") {
    records_fixture f;
    CHECK_THROWS_AS(
        f.change("ALTER TABLE recruiting.jobs DISABLE TRIGGER write_record; "
                 "INSERT INTO recruiting.jobs (id, organization_id, title) SELECT gen_random_uuid(), id, 'Job' "
                 "FROM recruiting.organizations"),
        pg::query_error);
}

} // namespace prepared_records_test
