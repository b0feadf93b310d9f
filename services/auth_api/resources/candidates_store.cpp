#include "auth_api/resources/candidates_store.hpp"

#include "auth_api/resources/candidate_feeds.hpp"
#include "auth_api/resources/jobs_store.hpp"

namespace recruiting::auth_api {
namespace {

// The columns of a candidate's record, in the order candidates_json reads them.
#define RECRUITING_CANDIDATE_COLUMNS                                                                                   \
    "c.id, c.created_at, c.updated_at, c.sort_name, c.name, c.email, c.phone, c.current_title, c.current_company, "    \
    "c.location_name, c.location_city, c.location_region, c.location_country_code, c.links::text, c.source, "          \
    "array_to_json(c.tags)::text, c.last_activity_at, c.deleted_at, c.external_id"

// The columns of an application, in the order candidates_json reads them.
#define RECRUITING_APPLICATION_COLUMNS                                                                                 \
    "a.id, a.candidate_id, a.job_id, a.stage_id, s.name, a.status, a.source, a.applied_at, a.stage_entered_at, "       \
    "a.rejected_at, a.hired_at, a.rejection_reason, a.created_at, a.updated_at, a.deleted_at, "                        \
    "a.external_id"

// GET /candidates/{id}.
constexpr auto candidate_record_sql = "SELECT " RECRUITING_CANDIDATE_COLUMNS
                                      " FROM recruiting.candidates c WHERE c.id = $1::uuid AND c.deleted_at IS NULL";

// Applications with their next interview: the earliest confirmed one that is not over. No interview is longer than
// eight hours (interview_slots): that bounds the range.
#define RECRUITING_SHOWN_APPLICATIONS                                                                                  \
    "SELECT " RECRUITING_APPLICATION_COLUMNS ", b.id, b.starts_at, b.ends_at, b.stage_id, b.membership_id, b.name "    \
    "FROM recruiting.applications a JOIN recruiting.stages s ON s.id = a.stage_id "                                    \
    "LEFT JOIN LATERAL ("                                                                                              \
    "    SELECT i.id, i.starts_at, i.ends_at, i.stage_id, i.membership_id, u.name FROM recruiting.bookings i "         \
    "    JOIN recruiting.memberships m ON m.id = i.membership_id JOIN recruiting.users u ON u.id = m.user_id "         \
    "    WHERE i.application_id = a.id AND i.status = 'confirmed' "                                                    \
    "      AND i.starts_at > now() - interval '8 hours' AND i.ends_at > now() "                                        \
    "    ORDER BY i.starts_at, i.id LIMIT 1) AS b ON true "

// Every application of one candidate that the caller may see, the newest first.
constexpr auto applications_sql = RECRUITING_SHOWN_APPLICATIONS
    "WHERE a.candidate_id = $1::uuid AND a.deleted_at IS NULL ORDER BY a.applied_at DESC, a.id DESC";

// Those of a list's record. So many at most, for somebody may have made thousands for each candidate.
constexpr auto included_applications_sql = RECRUITING_SHOWN_APPLICATIONS
    "WHERE a.candidate_id = p.record_id AND a.deleted_at IS NULL ORDER BY a.applied_at DESC, a.id DESC LIMIT 100";

// How many words q has, and for the statements behind this one the rarest, "" where so many terms begin with each that
// all are common. Counted up to 1,000 first: one rare word ends the counting of the others.
constexpr auto words_sql = R"sql(
SELECT cardinality(q.words), set_config('recruiting.search_word', coalesce((
    SELECT rarest.word FROM (VALUES (1000), (10000)) AS counted (most)
    CROSS JOIN LATERAL (
        SELECT w.word FROM unnest(q.words) AS w (word)
        CROSS JOIN LATERAL (
            SELECT count(*) AS terms FROM (
                SELECT FROM recruiting.candidate_terms t
                WHERE t.organization_id = (SELECT recruiting.current_organization_id()) AND t.kind = 'w'
                  AND t.term >= w.word AND t.term < w.word || U&'\+10FFFF' LIMIT counted.most) AS found) AS f
        WHERE f.terms < counted.most ORDER BY f.terms, w.word LIMIT 1) AS rarest
    LIMIT 1), ''), true)
FROM (SELECT recruiting.search_words($1::text) AS words OFFSET 0) AS q
)sql";

} // namespace

// OFFSET 0 keeps look-ups of one word of one candidate each, which end at the first word that is not found.
word_search const candidate_words = {
    .words = words_sql,
    .has_all = "NOT EXISTS (SELECT FROM unnest((SELECT recruiting.search_words(?::text))) AS w (word) WHERE NOT EXISTS "
               "(SELECT FROM recruiting.candidate_terms o WHERE o.candidate_id = c.id "
               "AND o.organization_id = (SELECT recruiting.current_organization_id()) AND o.kind = 'w' "
               "AND o.term >= w.word AND o.term < w.word || U&'\\+10FFFF' OFFSET 0) OFFSET 0)",
    .rarest = "(SELECT current_setting('recruiting.search_word')) <> '' "
              "AND c.id = ANY (ARRAY(SELECT t.candidate_id FROM recruiting.candidate_terms t "
              "WHERE t.organization_id = (SELECT recruiting.current_organization_id()) AND t.kind = 'w' "
              "AND t.term >= (SELECT current_setting('recruiting.search_word')) "
              "AND t.term < (SELECT current_setting('recruiting.search_word') || U&'\\+10FFFF')))",
    .common = "(SELECT current_setting('recruiting.search_word')) = ''",
};

// A hiring manager's candidates are found by their jobs, however many others the organization has.
constexpr reach_shape own_candidates = {
    .from = "FROM recruiting.candidates c WHERE c.id = ANY (ARRAY("
            "SELECT u.id FROM (SELECT DISTINCT p.place, p.id FROM recruiting.hiring_teams t "
            "CROSS JOIN LATERAL (SELECT {sort} AS place, a.candidate_id AS id FROM recruiting.applications a "
            "JOIN recruiting.candidates c ON c.id = a.candidate_id "
            "WHERE a.job_id = t.job_id AND a.deleted_at IS NULL{page}) AS p "
            "WHERE t.membership_id = (SELECT recruiting.current_member_id()) "
            "AND (SELECT recruiting.has_role('hiring_manager')){first}) AS u))",
    .id = "a.candidate_id",
    .sorts = {"a.candidate_created_at", "c.updated_at", "c.sort_name"},
    .first = "FROM recruiting.candidates c WHERE (SELECT recruiting.has_role('hiring_manager')) "
             "AND c.id = ANY ((SELECT recruiting.first_own_candidates({after}))::uuid[])",
};

// GET /candidates. The organization's condition repeats what row-level security adds, so that the planner reads the
// list's own index in its order.
list_shape const candidate_list = {
    .route = "/candidates",
    .columns = RECRUITING_CANDIDATE_COLUMNS,
    .from = "FROM recruiting.candidates c WHERE c.organization_id = (SELECT recruiting.current_organization_id())",
    .live = "c.deleted_at IS NULL",
    .id = "c.id",
    .sorts = {{{"createdAt", "c.created_at", 1, true},
               {"updatedAt", "c.updated_at", 2, true, false}, // a hiring manager's jobs have no index of it
               {"name", "c.sort_name", 3, false, false}}},
    .feed = candidate_feed,
    .record = "LEFT JOIN recruiting.candidates c ON c.id = f.id",
    .by_reach = true,
    .walked = "FROM recruiting.candidates c "
              "WHERE c.organization_id = (SELECT recruiting.current_organization_id()) AND c.deleted_at IS NULL",
    .most_walked = "10000",
    .reach = &own_candidates,
};

// GET /jobs/{id}/candidates. Sorted by the application's copy of the candidate's creation time: the job's own index
// gives the page in its order. Whose job it is not is asked first, not of each application.
list_shape const job_candidate_list = {
    .route = "/jobs/{id}/candidates",
    .columns = RECRUITING_CANDIDATE_COLUMNS ", " RECRUITING_APPLICATION_COLUMNS,
    .from = "FROM recruiting.applications a JOIN recruiting.candidates c ON c.id = a.candidate_id "
            "JOIN recruiting.stages s ON s.id = a.stage_id WHERE a.job_id = $1::uuid AND a.deleted_at IS NULL "
            "AND " RECRUITING_SEES_JOB,
    .live = "c.deleted_at IS NULL",
    .id = "a.candidate_id",
    .sorts = {{{"createdAt", "a.candidate_created_at", 1, true},
               {"updatedAt", "c.updated_at", 2, true, false},
               {"name", "c.sort_name", 3, false, false}}},
    .feed = job_candidate_feed,
    .record = "LEFT JOIN (recruiting.applications a JOIN recruiting.candidates c ON c.id = a.candidate_id "
              "JOIN recruiting.stages s ON s.id = a.stage_id) "
              "ON a.candidate_id = f.id AND a.job_id = $1::uuid AND a.deleted_at IS NULL",
    .by_reach = true,
};

// include=applications of either list.
list_inclusion const candidate_applications_included = {
    .name = "applications",
    .rows = included_applications_sql,
    .feed = interviews_over,
    .visible = "members:read",
};
list_inclusion const job_candidate_applications_included = {
    .name = "applications",
    .rows = included_applications_sql,
    .feed = interviews_over_of_job,
    .visible = "members:read",
};
#undef RECRUITING_SHOWN_APPLICATIONS
#undef RECRUITING_CANDIDATE_COLUMNS
#undef RECRUITING_APPLICATION_COLUMNS

void application_conditions::of_jobs(std::string_view values) {
    conditions_.append(" AND a.job_id = ").append(values);
    by_index_ = true;
}

void application_conditions::in_stages(std::string_view values) {
    conditions_.append(" AND a.stage_id = ").append(values);
    by_index_ = true;
}

void application_conditions::with_external_id(std::string_view value) {
    conditions_.append(" AND a.organization_id = (SELECT recruiting.current_organization_id()) AND a.external_id = ")
        .append(value);
    by_index_ = true;
    unique_ = true;
}

void application_conditions::with_status(std::string_view values) {
    conditions_.append(" AND a.status = ").append(values);
}

// Where no index names the applications, OFFSET 0 keeps it a look-up a candidate, in the list's order: as a join it
// would read every application of the organization first.
std::string application_conditions::of_candidate() const {
    if (conditions_.empty()) return {};
    if (by_index_)
        return "c.id IN (SELECT a.candidate_id FROM recruiting.applications a WHERE a.deleted_at IS NULL" +
               conditions_ + ")";
    return "EXISTS (SELECT FROM recruiting.applications a WHERE a.candidate_id = c.id AND a.deleted_at IS NULL" +
           conditions_ + " OFFSET 0)";
}

filter_index application_conditions::index() const {
    if (unique_) return filter_index::unique;
    return by_index_ ? filter_index::sorted : filter_index::none;
}

pg::statement candidate_record(uuid const& id) {
    pg::statement out{candidate_record_sql, {}};
    out.params.id(id);
    return out;
}

pg::statement candidate_applications(uuid const& candidate) {
    pg::statement out{applications_sql, {}};
    out.params.id(candidate);
    return out;
}

} // namespace recruiting::auth_api
