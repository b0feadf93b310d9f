#include "recruitctl/demo/store.hpp"

namespace recruiting::recruitctl {
namespace {

constexpr char const* lock_demo = "SELECT pg_advisory_xact_lock(hashtextextended('recruiting.demo', 0))::text";

// The demo's own organizations are known by their admin's address: loading into a real one would mix invented people
// with its records.
constexpr char const* find_foreign_organization = R"(
SELECT 1 FROM recruiting.organizations o
WHERE o.slug = $1
  AND NOT EXISTS (SELECT FROM recruiting.memberships m JOIN recruiting.users u ON u.id = m.user_id
                  WHERE m.organization_id = o.id AND u.email_key = $2))";

constexpr char const* insert_organization = R"(
INSERT INTO recruiting.organizations
    (id, slug, name, website_url, careers_page_url, time_zone, country_code, created_at, updated_at,
     accent_color, apply_url)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9, $10)
ON CONFLICT (slug) DO NOTHING)";

constexpr char const* find_organization_id = "SELECT id FROM recruiting.organizations WHERE slug = $1";
struct organization_columns {
    enum : int { id };
};

constexpr char const* insert_user = R"(
INSERT INTO recruiting.users (id, email_key, name, created_at, updated_at) VALUES ($1, $2, $3, $4, $4)
ON CONFLICT (email_key) DO NOTHING)";

// Members the operator has changed since stay as they are.
constexpr char const* insert_membership = R"(
INSERT INTO recruiting.memberships
    (id, organization_id, user_id, email, role, status, title, created_at, updated_at, removed_at)
SELECT $1, $2, u.id, $3, $4, $5, $6, $7, $7, CASE WHEN $5 = 'removed' THEN $7::timestamptz + interval '200 days' END
FROM recruiting.users u WHERE u.email_key = $3
ON CONFLICT (organization_id, user_id) DO NOTHING)";

constexpr char const* find_membership = R"(
SELECT m.id FROM recruiting.memberships m JOIN recruiting.users u ON u.id = m.user_id
WHERE m.organization_id = $1 AND u.email_key = $2)";
struct membership_columns {
    enum : int { id };
};

// A year that began before this month, so that what is used today falls into the current period.
constexpr char const* insert_subscription = R"(
INSERT INTO recruiting.subscriptions
    (organization_id, plan, status, currency, current_period_start, current_period_end, seats_included, amount_due_cents)
SELECT $1, $2, 'active', $3, start, start + interval '1 year', $4, $5
FROM (SELECT date_trunc('month', now()) - interval '1 month' AS start) AS period
ON CONFLICT (organization_id) DO NOTHING)";

constexpr char const* insert_invoice = R"(
INSERT INTO recruiting.invoices (id, organization_id, number, status, amount_cents, currency, issued_at, paid_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (organization_id, number) DO NOTHING)";

// $4: minutes after the period's start.
constexpr char const* insert_usage = R"(
INSERT INTO recruiting.usage_records (id, organization_id, kind, occurred_at, input_tokens, output_tokens)
SELECT $1, $2, $3, s.current_period_start + make_interval(mins => $4::integer), $5, $6
FROM recruiting.subscriptions s WHERE s.organization_id = $2
ON CONFLICT (id) DO NOTHING)";

// How far earlier runs came: records are numbered, and a batch is there as a whole or not at all.
constexpr char const* read_state = R"(
SELECT (SELECT coalesce(max(substring(external_id FROM 10)::bigint), 0) FROM recruiting.jobs
        WHERE organization_id = $1 AND external_id LIKE 'demo-job-%') AS jobs,
       (SELECT coalesce(max(substring(external_id FROM 16)::bigint), 0) FROM recruiting.candidates
        WHERE organization_id = $1 AND external_id LIKE 'demo-candidate-%') AS candidates,
       j.id AS job_id,
       (SELECT s.id FROM recruiting.stages s WHERE s.job_id = j.id AND s.bookable ORDER BY s.position LIMIT 1) AS stage_id,
       c.id AS candidate_id, c.email
FROM (SELECT) AS one
LEFT JOIN recruiting.jobs j ON j.organization_id = $1 AND j.external_id = 'demo-job-000001'
LEFT JOIN recruiting.candidates c ON c.organization_id = $1 AND c.external_id = 'demo-candidate-00000001')";
struct state_columns {
    enum : int { jobs, candidates, job_id, stage_id, candidate_id, candidate_email };
};

// What COPY gives of a table, in its order. Records go into a temporary table of these columns, which has none of the
// defaults, checks and triggers, and from there into the table itself.
struct copied_table {
    std::string name, columns;
    std::string order; // in which most indexes grow
};
copied_table const jobs_table{
    "jobs",
    "id, organization_id, external_id, title, status, requisition_id, department, location_name, location_city, "
    "location_region, location_country_code, workplace_type, employment_type, openings, salary_min, salary_max, "
    "salary_currency, salary_period, salary_published, published, published_at, opened_at, closed_at, "
    "description_html, description_text, created_at, updated_at",
    ""};
copied_table const stages_table{
    "stages",
    "id, organization_id, job_id, name, kind, position, bookable, interview_duration_minutes, created_at, updated_at",
    ""};
copied_table const teams_table{"hiring_teams", "organization_id, job_id, membership_id, role", ""};
copied_table const candidates_table{
    "candidates",
    "id, organization_id, external_id, name, email, email_key, phone, current_title, current_company, location_city, "
    "location_region, location_country_code, links, source, tags, last_activity_at, created_at, updated_at",
    " ORDER BY id"};
copied_table const applications_table{
    "applications",
    "id, organization_id, external_id, candidate_id, job_id, stage_id, status, source, applied_at, stage_entered_at, "
    "rejected_at, hired_at, rejection_reason, created_at, updated_at",
    " ORDER BY candidate_id"};

std::string create_temporary_sql(copied_table const& of) {
    return "CREATE TEMPORARY TABLE IF NOT EXISTS demo_" + of.name + " ON COMMIT DELETE ROWS AS SELECT " + of.columns +
           " FROM recruiting." + of.name + " WITH NO DATA";
}

std::string insert_sql(copied_table const& of) {
    return "INSERT INTO recruiting." + of.name + " (" + of.columns + ") SELECT * FROM demo_" + of.name + of.order;
}

constexpr char const* analyze_tables =
    "ANALYZE recruiting.jobs, recruiting.stages, recruiting.hiring_teams, recruiting.candidates, "
    "recruiting.candidate_terms, recruiting.applications, recruiting.stage_counts";

void add_rows(pg::client& client, copied_table const& to, std::string const& lines) {
    client.copy_start("COPY demo_" + to.name + " FROM STDIN");
    client.copy_send(lines);
    client.copy_finish();
    client.run(insert_sql(to));
}

// Loading again finds the slots of before by their unique index. A slot that an operator closed is opened again the
// next time: it is a demo.
constexpr char const* insert_slots_sql = R"(
WITH stages AS (
    SELECT DISTINCT ON (j.external_id) j.external_id, s.id, s.job_id, s.organization_id, o.time_zone,
           make_interval(mins => s.interview_duration_minutes) AS length
    FROM recruiting.jobs j
    JOIN recruiting.organizations o ON o.id = j.organization_id
    JOIN recruiting.stages s ON s.job_id = j.id AND s.bookable
    WHERE j.organization_id = $1 AND j.external_id LIKE 'demo-job-%' AND j.published AND j.status = 'open'
      AND j.deleted_at IS NULL
    ORDER BY j.external_id, s.position
    LIMIT 2
), interviewers AS (
    SELECT m.id FROM recruiting.memberships m JOIN recruiting.users u ON u.id = m.user_id
    WHERE m.organization_id = $1 AND m.status = 'active' AND u.email_key IN ($2, $3)
), times AS (
    SELECT s.id AS stage_id, s.job_id, s.organization_id, s.length, (day + hour) AT TIME ZONE s.time_zone AS starts_at
    FROM stages s
    CROSS JOIN LATERAL generate_series(date_trunc('day', now() AT TIME ZONE s.time_zone) + interval '1 day',
        date_trunc('day', now() AT TIME ZONE s.time_zone) + interval '14 days', interval '1 day') AS day
    CROSS JOIN unnest(ARRAY[interval '9 h', '10 h', '11 h', '14 h', '15 h', '16 h']) AS hour
    WHERE extract(isodow FROM day) < 6
)
INSERT INTO recruiting.interview_slots (id, organization_id, job_id, stage_id, membership_id, starts_at, ends_at)
SELECT gen_random_uuid(), t.organization_id, t.job_id, t.stage_id, i.id, t.starts_at, t.starts_at + t.length
FROM times t CROSS JOIN interviewers i
ON CONFLICT (stage_id, membership_id, starts_at) WHERE closed_at IS NULL DO NOTHING)";

// The first from tomorrow noon on: still ahead of the shortest notice when the welcome text has been read.
constexpr char const* find_slot = R"(
SELECT starts_at FROM recruiting.published_slots
WHERE stage_id = $1 AND starts_at > now() + interval '12 hours' ORDER BY starts_at LIMIT 1)";
struct slot_columns {
    enum : int { starts_at };
};

} // namespace

void demo_store::lock() { client_.run(lock_demo); }

bool demo_store::is_foreign(demo_organization const& wanted) {
    return !client_
                .run(find_foreign_organization,
                     pg::params().text(wanted.slug).text("admin@" + wanted.slug + ".example"))
                .empty();
}

uuid demo_store::ensure_organization(demo_organization const& wanted) {
    client_.run(insert_organization, pg::params()
                                         .id(wanted.id)
                                         .text(wanted.slug)
                                         .text(wanted.name)
                                         .text(wanted.website_url)
                                         .optional_text(wanted.careers_page_url)
                                         .text(wanted.time_zone)
                                         .text(wanted.country_code)
                                         .time(wanted.created_at)
                                         .optional_text(wanted.accent_color)
                                         .optional_text(wanted.apply_url));
    return client_.run(find_organization_id, pg::params().text(wanted.slug)).id(0, organization_columns::id);
}

std::vector<uuid> demo_store::ensure_members(uuid organization, std::vector<demo_member> const& members) {
    std::vector<uuid> ids;
    for (auto const& member : members) {
        client_.run(insert_user,
                    pg::params().id(member.user_id).text(member.email).text(member.name).time(member.created_at));
        client_.run(insert_membership, pg::params()
                                           .id(member.membership_id)
                                           .id(organization)
                                           .text(member.email)
                                           .text(member.role)
                                           .text(member.status)
                                           .text(member.title)
                                           .time(member.created_at));
        ids.push_back(client_.run(find_membership, pg::params().id(organization).text(member.email))
                          .id(0, membership_columns::id));
    }
    return ids;
}

void demo_store::ensure_billing(uuid organization, demo_organization const& wanted, std::uint64_t seed) {
    bool const full = wanted.full;
    demo_random chance(seed, "billing " + wanted.slug, 0);
    std::string const currency = full ? "EUR" : "USD";
    std::int64_t const monthly = full ? 89'900 : 9'900;
    auto const added = client_.run(insert_subscription, pg::params()
                                                            .id(organization)
                                                            .text(full ? "business" : "starter")
                                                            .text(currency)
                                                            .integer(full ? 25 : 5)
                                                            .integer(monthly));
    if (added.affected() == 0) return;         // all of it came with the subscription
    for (int month = 6; month >= 1; --month) { // the latest is not paid yet
        auto const issued = demo_today() - std::chrono::days(30 * month - 16);
        pg::params values;
        values.id(chance.id(issued)).id(organization).text("INV-2025-" + std::to_string(1000 + 7 * (7 - month)));
        values.text(month == 1 ? "open" : "paid").integer(monthly).text(currency).time(issued);
        values.optional_time(month == 1 ? std::nullopt : std::optional(issued + std::chrono::days(3)));
        client_.run(insert_invoice, values);
    }
    for (int i = 0; full && i < 52; ++i) {
        bool const run = i % 4 != 0;
        auto const at = static_cast<std::int64_t>(chance.below(std::uint64_t{26} * 24 * 60));
        auto const tokens = static_cast<std::int64_t>(500 + chance.below(4000));
        client_.run(insert_usage, pg::params()
                                      .id(chance.id(demo_today()))
                                      .id(organization)
                                      .text(run ? "agent_run" : "booking")
                                      .integer(at)
                                      .integer(run ? tokens : 0)
                                      .integer(run ? tokens / 6 : 0));
    }
}

demo_state demo_store::state(uuid organization) {
    auto const found = client_.run(read_state, pg::params().id(organization));
    demo_state state;
    state.jobs = static_cast<std::uint64_t>(found.integer(0, state_columns::jobs));
    state.candidates = static_cast<std::uint64_t>(found.integer(0, state_columns::candidates));
    state.job_id = found.optional_id(0, state_columns::job_id);
    state.stage_id = found.optional_id(0, state_columns::stage_id);
    state.candidate_id = found.optional_id(0, state_columns::candidate_id);
    state.candidate_email = found.text(0, state_columns::candidate_email);
    return state;
}

void demo_store::prepare() {
    for (auto const* const table : {&jobs_table, &stages_table, &teams_table, &candidates_table, &applications_table})
        client_.script(create_temporary_sql(*table));
}

void demo_store::add_jobs(uuid organization, std::vector<uuid> const& memberships, std::span<demo_job const> added) {
    auto const lines = copy_lines_of(organization, memberships, added);
    add_rows(client_, jobs_table, lines.jobs);
    add_rows(client_, stages_table, lines.stages);
    add_rows(client_, teams_table, lines.teams);
}

void demo_store::add_candidates(uuid organization, std::span<demo_candidate const> added) {
    auto const lines = copy_lines_of(organization, added);
    add_rows(client_, candidates_table, lines.candidates);
    add_rows(client_, applications_table, lines.applications);
}

void demo_store::analyze() { client_.run(analyze_tables); }

std::int64_t open_demo_slots(pg::client& client, uuid organization, std::string const& slug) {
    pg::params values;
    values.id(organization).text("interviewer@" + slug + ".example").text("interviewer2@" + slug + ".example");
    return client.run(insert_slots_sql, values).affected();
}

std::optional<timestamp> find_demo_slot(pg::client& client, std::optional<uuid> stage) {
    if (!stage) return std::nullopt;
    auto const found = client.run(find_slot, pg::params().id(*stage));
    return found.empty() ? std::nullopt : std::optional(found.time(0, slot_columns::starts_at));
}

} // namespace recruiting::recruitctl
