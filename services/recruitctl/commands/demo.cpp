// demo load. demo.sql has the records; each call of its functions is there as a whole or not at all, so that an
// interrupted load continues where it stopped and a second one changes nothing.
#include "recruitctl/command.hpp"
#include "recruitctl/output.hpp"

#include <ostream>

namespace recruiting::recruitctl {

std::string_view demo_sql() noexcept; // demo.sql as the build puts it into the program

namespace {

constexpr std::string_view second_organization = "globex"; // small, to see that tenants are apart
constexpr std::int64_t batch_size = 20'000;                // candidates

// Until the connection ends: one load at a time.
constexpr std::string_view lock_sql = "SELECT pg_advisory_lock(hashtextextended('recruiting.demo', 0))::text";
constexpr std::string_view add_organization_sql = "SELECT pg_temp.add_organization($1, $2)";
constexpr std::string_view add_jobs_sql = "SELECT pg_temp.add_jobs($1, $2, $3)::text";
constexpr std::string_view add_candidates_sql = "SELECT pg_temp.add_candidates($1, $2, $3)::text";
constexpr std::string_view open_slots_sql = "SELECT pg_temp.open_slots($1)";
// Plans made from the statistics of empty tables are slow.
constexpr std::string_view analyze_sql =
    "ANALYZE recruiting.jobs, recruiting.stages, recruiting.hiring_teams, recruiting.candidates, "
    "recruiting.candidate_terms, recruiting.applications, recruiting.stage_counts";

// How far earlier runs came, and what to try: the slot is the first from tomorrow noon on, still ahead of the shortest
// notice when the welcome text has been read.
constexpr std::string_view state_sql = R"sql(
SELECT (SELECT coalesce(max(substring(external_id FROM 10)::bigint), 0) FROM recruiting.jobs
        WHERE organization_id = $1 AND external_id LIKE 'demo-job-%') AS jobs,
       (SELECT coalesce(max(substring(external_id FROM 16)::bigint), 0) FROM recruiting.candidates
        WHERE organization_id = $1 AND external_id LIKE 'demo-candidate-%') AS candidates,
       j.id AS job_id, s.id AS stage_id, c.id AS candidate_id, c.email,
       (SELECT p.starts_at FROM recruiting.published_slots p
        WHERE p.stage_id = s.id AND p.starts_at > now() + interval '12 hours' ORDER BY p.starts_at LIMIT 1) AS slot
FROM (SELECT) AS one
LEFT JOIN recruiting.jobs j ON j.organization_id = $1 AND j.external_id = 'demo-job-000001'
LEFT JOIN LATERAL (SELECT s.id FROM recruiting.stages s WHERE s.job_id = j.id AND s.bookable ORDER BY s.position LIMIT 1)
    AS s ON true
LEFT JOIN recruiting.candidates c ON c.organization_id = $1 AND c.external_id = 'demo-candidate-00000001'
)sql";

struct demo_state {
    uuid organization;
    std::int64_t jobs{0}, candidates{0};
    boost::json::object samples; // of the output
};

demo_state read_state(pg::client& database, uuid const& organization) {
    auto const found = database.run(state_sql, pg::params().id(organization));
    auto row = found[0];
    demo_state out{organization, row.integer(), row.integer(), {}};
    auto const job = json_id(row.optional_id());
    out.samples = {{"jobId", job},
                   {"publicJobId", job},
                   {"stageId", json_id(row.optional_id())},
                   {"candidateId", json_id(row.optional_id())},
                   {"candidateEmail", json_text(row.optional_text())},
                   {"slotStart", json_time(row.optional_time())}};
    return out;
}

/// The state before. Throws failure when the organization is not the demo's.
demo_state load_organization(pg::client& database, std::string_view slug, std::int64_t jobs, std::int64_t candidates) {
    auto const made = database.run(add_organization_sql, pg::params().text(slug).boolean(slug != second_organization));
    auto const organization = made[0].optional_id();
    if (!organization)
        throw failure("the organization " + std::string(slug) + " is not the demo's: nothing was loaded into it");
    auto before = read_state(database, *organization);
    auto const add = [&](std::string_view sql, std::int64_t first, std::int64_t last) {
        database.run(sql, pg::params().id(*organization).integer(first).integer(last));
    };
    if (before.jobs < jobs) {
        add(add_jobs_sql, before.jobs + 1, jobs);
        database.run(analyze_sql);
    }
    for (auto done = before.candidates; done < candidates; done += batch_size)
        add(add_candidates_sql, done + 1, std::min(candidates, done + batch_size));
    return before;
}

int load(invocation& call) {
    auto const slug = call.find("--organization").value_or("acme");
    auto const jobs = call.number("--jobs", 40, 1, 10'000);
    auto const candidates = call.number("--candidates", 1000, 0, 20'000'000);
    if (call.setting("RECRUITING_ENVIRONMENT") == "live" && !call.has("--yes-in-live"))
        throw failure(
            "this is a live installation, and invented organizations would be public: repeat the command with "
            "--yes-in-live if that is intended");
    if (slug == second_organization) throw failure("globex is the demo's second organization: choose another slug");
    auto& database = call.database();
    database.run(lock_sql);
    database.script(std::string(demo_sql()));
    load_organization(database, second_organization, 4, 25);
    auto const before = load_organization(database, slug, jobs, candidates);
    if (before.candidates < candidates) database.run(analyze_sql);
    auto const opened = database.run(open_slots_sql, pg::params().id(before.organization)).integer(0, 0);
    auto const now = read_state(database, before.organization);
    auto const added_jobs = now.jobs - before.jobs;
    auto const added_candidates = now.candidates - before.candidates;
    auto const admin = "admin@" + slug + ".example";
    if (!call.json()) {
        auto const count = [](std::int64_t number) { return with_commas(static_cast<std::uint64_t>(number)); };
        call.out << "organization " << slug << " has " << count(now.jobs) << " demo jobs and " << count(now.candidates)
                 << " demo candidates (" << count(added_jobs) << " and " << count(added_candidates)
                 << " added); its admin is " << admin << '\n';
        return done;
    }
    auto answer = now.samples;
    answer.insert({{"organization", slug},
                   {"adminEmail", admin},
                   {"openedSlots", opened},
                   {"jobs", now.jobs},
                   {"candidates", now.candidates},
                   {"addedJobs", added_jobs},
                   {"addedCandidates", added_candidates}});
    print_json(call.out, answer);
    return done;
}

} // namespace

std::vector<command> demo_commands() {
    return {{
        "demo load",
        "Load realistic demo data: an organization with jobs, candidates and billing",
        {{"--organization", "SLUG", "organization to create or extend (acme)"},
         {"--jobs", "N", "number of jobs (40)"},
         {"--candidates", "N", "number of candidates (1000)"},
         {"--yes-in-live", "", "load it where RECRUITING_ENVIRONMENT is live"}},
        load,
        R"(Creates the members admin@, recruiter@, manager@, interviewer@ and viewer@SLUG.example with these roles, a small
second organization, globex, and interview slots for the next two weeks.
Running it again adds slots for later days, and records up to larger numbers; otherwise it changes nothing.
An organization that the demo did not create is rejected.)",
    }};
}

} // namespace recruiting::recruitctl
