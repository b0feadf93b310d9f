#include "integration/auth_api/sync_recruiting.hpp"

namespace recruiting::test {
namespace {

std::string text(int number) { return std::to_string(number); }

} // namespace

sync_recruiting::sync_recruiting(int jobs, int candidates) {
    auto& owner = database.owner();
    make_organization(owner, slug);
    owner.script("INSERT INTO recruiting.jobs (id, organization_id, external_id, title, status) SELECT "
                 "gen_random_uuid(), o.id, 'J' || n, 'Job ' || n, 'open' FROM recruiting.organizations o, "
                 "generate_series(0, " +
                 text(jobs - 1) + ") n");
    owner.script(
        "INSERT INTO recruiting.stages (id, organization_id, job_id, name, kind, position, bookable, "
        "interview_duration_minutes) SELECT gen_random_uuid(), j.organization_id, j.id, 'S' || n, 'screen', n, "
        "true, 30 FROM recruiting.jobs j, generate_series(0, 1) n");
    owner.script("INSERT INTO recruiting.candidates (id, organization_id, external_id, name) SELECT "
                 "gen_random_uuid(), o.id, 'C' || n, 'Candidate ' || n FROM recruiting.organizations o, "
                 "generate_series(0, " +
                 text(candidates - 1) + ") n");
}

void sync_recruiting::add_member(std::string const& name, role held) {
    make_member(database.owner(), slug, email(name), held);
}

std::string sync_recruiting::key(std::string const& member, std::vector<std::string> const& scopes) {
    return make_key(database.owner(), slug, email(member), scopes).secret;
}

std::string sync_recruiting::id(std::string const& table, std::string const& external_id) {
    auto const found =
        database.owner().run("SELECT replace(id::text, '-', '') FROM recruiting." + table + " WHERE external_id = $1",
                             pg::params().text(external_id));
    return std::string(found.text(0, 0));
}

void sync_recruiting::apply(int candidate, int job) { run(apply_sql(candidate, job)); }
void sync_recruiting::join(std::string const& member, int job) { run(join_sql(member, job)); }
void sync_recruiting::leave(std::string const& member, int job) { run(leave_sql(member, job)); }
void sync_recruiting::change(int candidate, int job, std::string const& set) { run(change_sql(candidate, job, set)); }

std::string sync_recruiting::apply_sql(int candidate, int job) {
    return "INSERT INTO recruiting.applications (id, organization_id, candidate_id, job_id, stage_id) SELECT "
           "gen_random_uuid(), c.organization_id, c.id, j.id, s.id FROM recruiting.candidates c, recruiting.jobs j "
           "JOIN recruiting.stages s ON s.job_id = j.id AND s.position = 0 WHERE c.external_id = 'C" +
           text(candidate) + "' AND j.external_id = 'J" + text(job) + "'";
}

std::string sync_recruiting::change_sql(int candidate, int job, std::string const& set) {
    return "UPDATE recruiting.applications a SET " + set +
           " FROM recruiting.candidates c, recruiting.jobs j WHERE c.id = a.candidate_id AND j.id = a.job_id AND "
           "c.external_id = 'C" +
           text(candidate) + "' AND j.external_id = 'J" + text(job) + "'";
}

std::string sync_recruiting::join_sql(std::string const& member, int job) const {
    return "INSERT INTO recruiting.hiring_teams (organization_id, job_id, membership_id) SELECT m.organization_id, "
           "j.id, "
           "m.id FROM recruiting.jobs j, recruiting.memberships m JOIN recruiting.users u ON u.id = m.user_id WHERE "
           "m.email = '" +
           email(member) + "' AND j.external_id = 'J" + text(job) + "' ON CONFLICT DO NOTHING";
}

std::string sync_recruiting::leave_sql(std::string const& member, int job) const {
    return "DELETE FROM recruiting.hiring_teams t USING recruiting.jobs j, recruiting.memberships m, recruiting.users "
           "u "
           "WHERE t.job_id = j.id AND t.membership_id = m.id AND u.id = m.user_id AND m.email = '" +
           email(member) + "' AND j.external_id = 'J" + text(job) + "'";
}

std::string sync_recruiting::book_sql(int candidate, int job, std::string const& member, int from_ms, int to_ms) const {
    auto const at = [](int ms) { return "now() + interval '" + text(ms) + " milliseconds'"; };
    return "WITH application AS (SELECT a.* FROM recruiting.applications a JOIN recruiting.candidates c ON "
           "c.id = a.candidate_id JOIN recruiting.jobs j ON j.id = a.job_id WHERE c.external_id = 'C" +
           text(candidate) + "' AND j.external_id = 'J" + text(job) +
           "' AND a.deleted_at IS NULL), slot AS (INSERT INTO "
           "recruiting.interview_slots (id, organization_id, job_id, stage_id, membership_id, starts_at, ends_at) "
           "SELECT "
           "gen_random_uuid(), a.organization_id, a.job_id, a.stage_id, m.id, " +
           at(from_ms) + ", " + at(to_ms) +
           " FROM application a, recruiting.memberships m JOIN recruiting.users u ON u.id = m.user_id WHERE m.email = "
           "'" +
           email(member) +
           "' RETURNING id) INSERT INTO recruiting.bookings (id, organization_id, application_id, "
           "candidate_id, job_id, stage_id, status, wanted_starts_at, time_zone, calendar_uid) SELECT "
           "gen_random_uuid(), "
           "a.organization_id, a.id, a.candidate_id, a.job_id, a.stage_id, 'unplaced', now(), 'UTC', gen_random_uuid() "
           "FROM application a, slot ON CONFLICT DO NOTHING; "
           "UPDATE recruiting.bookings b SET status = 'confirmed', slot_id = s.id FROM (SELECT DISTINCT ON (job_id, "
           "stage_id) id, job_id, stage_id FROM recruiting.interview_slots ORDER BY job_id, stage_id, created_at DESC) "
           "s, "
           "recruiting.candidates c, recruiting.jobs j WHERE c.id = b.candidate_id AND j.id = b.job_id AND s.job_id = "
           "b.job_id AND s.stage_id = b.stage_id AND c.external_id = 'C" +
           text(candidate) + "' AND j.external_id = 'J" + text(job) + "'";
}

} // namespace recruiting::test
