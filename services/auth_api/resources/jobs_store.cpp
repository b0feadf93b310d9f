#include "auth_api/resources/jobs_store.hpp"

namespace recruiting::auth_api {
namespace {

// The columns of a job's record, in the order jobs_json reads them. Team and count are kept by triggers: a record costs
// two index look-ups at any number of candidates. What a published job's address is made of is read once a statement.
#define RECRUITING_OF_PUBLISHED(column)                                                                                \
    "CASE WHEN j.published AND j.status = 'open' AND j.deleted_at IS NULL "                                            \
    "THEN (SELECT o." column                                                                                           \
    " FROM recruiting.organizations o WHERE o.id = (SELECT recruiting.current_organization_id())) END"
#define RECRUITING_JOB_COLUMNS                                                                                         \
    "j.id, j.created_at, j.updated_at, j.sort_title, j.title, j.status, j.requisition_id, j.department, "              \
    "j.location_name, j.location_city, j.location_region, j.location_country_code, j.workplace_type, "                 \
    "j.employment_type, j.openings, j.salary_min, j.salary_max, j.salary_currency, j.salary_period, "                  \
    "j.salary_published, j.hiring_team, j.published, j.published_at, j.closes_at, j.opened_at, "                       \
    "j.closed_at, " RECRUITING_OF_PUBLISHED("slug") ", coalesce(n.applications, 0), j.deleted_at, "                    \
                                                    "j.external_id, " RECRUITING_OF_PUBLISHED("careers_page_url")
#define RECRUITING_JOB_DESCRIPTION ", j.description_html, j.description_text"
#define RECRUITING_JOB_STAGES ", j.stages"
#define RECRUITING_JOB_FROM " FROM recruiting.jobs j LEFT JOIN recruiting.job_counts n ON n.job_id = j.id "

// GET /jobs/{id}: the list's record, the description and the stages.
constexpr auto job_record_sql =
    "SELECT " RECRUITING_JOB_COLUMNS RECRUITING_JOB_DESCRIPTION RECRUITING_JOB_STAGES RECRUITING_JOB_FROM
    "WHERE j.id = $1::uuid AND j.deleted_at IS NULL";

// Tells a job whose candidates are out of the caller's reach (a hiring manager not on its team) from one with none.
constexpr auto with_candidates_sql = "SELECT j.id, j.title FROM recruiting.jobs j "
                                     "WHERE j.id = $1::uuid AND j.deleted_at IS NULL AND " RECRUITING_SEES_JOB;

// What a sync returns: jobs whose own row changed, and jobs whose candidateCount did, with the later of the two
// numbers.
constexpr std::string_view job_feed = R"sql(
(SELECT j.changed_xid AS xid, j.id, j.deleted_at AS left_at FROM recruiting.jobs j
 WHERE j.organization_id = (SELECT recruiting.current_organization_id())
   AND (j.changed_xid, j.id) > ({after_xid}, {after_id}) AND j.changed_xid < {upper}
   AND (NOT {first} OR j.deleted_at IS NULL)
   AND NOT EXISTS (SELECT FROM recruiting.job_counts n
                   WHERE n.job_id = j.id AND n.changed_xid > j.changed_xid AND n.changed_xid < {upper})
 ORDER BY j.changed_xid, j.id LIMIT {limit})
UNION ALL
(SELECT n.changed_xid, n.job_id, j.deleted_at FROM recruiting.job_counts n
 JOIN recruiting.jobs j ON j.id = n.job_id AND j.changed_xid < n.changed_xid
 WHERE n.organization_id = (SELECT recruiting.current_organization_id())
   AND (n.changed_xid, n.job_id) > ({after_xid}, {after_id}) AND n.changed_xid < {upper}
   AND (NOT {first} OR j.deleted_at IS NULL)
 ORDER BY n.changed_xid, n.job_id LIMIT {limit})
)sql";

} // namespace

// A job's text is folded once, however many words are looked for in it.
word_search const job_words = {
    .words = "SELECT cardinality(recruiting.search_words($1::text))",
    .has_all =
        "(SELECT coalesce(bool_and(strpos(k.text, w.word) > 0), true) "
        "FROM (SELECT recruiting.search_key(concat_ws(' ', j.title, j.department, j.requisition_id)) AS text OFFSET 0) "
        "AS k CROSS JOIN unnest((SELECT recruiting.search_words(?::text))) AS w (word))",
};

// GET /jobs. One list with more or fewer columns: a cursor goes with any of them, a sync token with its own.
list_shape const& job_list(job_parts const& included) {
    static auto const with = [](std::string_view columns, std::string_view parts) {
        return list_shape{
            .route = "/jobs",
            .columns = columns,
            .from = RECRUITING_JOB_FROM "WHERE j.organization_id = (SELECT recruiting.current_organization_id())",
            .live = "j.deleted_at IS NULL",
            .id = "j.id",
            .sorts = {{{"createdAt", "j.created_at", 1, true},
                       {"updatedAt", "j.updated_at", 2, true},
                       {"title", "j.sort_title", 3, false}}},
            .feed = job_feed,
            .record = "JOIN recruiting.jobs j ON j.id = f.id LEFT JOIN recruiting.job_counts n ON n.job_id = j.id",
            .parts = parts,
        };
    };
    static auto const plain = with(RECRUITING_JOB_COLUMNS, "");
    static auto const description = with(RECRUITING_JOB_COLUMNS RECRUITING_JOB_DESCRIPTION, "description");
    static auto const stages = with(RECRUITING_JOB_COLUMNS RECRUITING_JOB_STAGES, "stages");
    static auto const both =
        with(RECRUITING_JOB_COLUMNS RECRUITING_JOB_DESCRIPTION RECRUITING_JOB_STAGES, "description,stages");
    if (included.description) return included.stages ? both : description;
    return included.stages ? stages : plain;
}
#undef RECRUITING_JOB_COLUMNS
#undef RECRUITING_JOB_FROM
#undef RECRUITING_JOB_DESCRIPTION
#undef RECRUITING_JOB_STAGES
#undef RECRUITING_OF_PUBLISHED

pg::statement job_record(uuid const& id) {
    pg::statement out{job_record_sql, {}};
    out.params.id(id);
    return out;
}

pg::statement job_with_candidates(uuid const& id) {
    pg::statement out{with_candidates_sql, {}};
    out.params.id(id);
    return out;
}

} // namespace recruiting::auth_api
