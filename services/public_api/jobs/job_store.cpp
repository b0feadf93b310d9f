#include "public_api/jobs/job_store.hpp"

namespace recruiting::public_api {
namespace {

// Shared by both statements, so that a job alone and in a list is the same record. The stages come as finished JSON:
// one index look-up a job shown, instead of a second round trip or a row a stage.
#define JOB_COLUMNS                                                                                                    \
    "SELECT j.id, j.title, j.organization_name, j.organization_slug, j.department, j.location_name, "                  \
    "j.location_city, j.location_region, j.location_country_code, j.workplace_type, j.employment_type, "               \
    "j.salary_min, j.salary_max, j.salary_currency, j.salary_period, j.description_html, j.description_text, "         \
    "j.published_at, j.closes_at, j.updated_at, j.public_url, "                                                        \
    "(SELECT coalesce(json_agg(json_build_object('stageId', replace(s.id::text, '-', ''), 'name', s.name, "            \
    "'durationMinutes', s.interview_duration_minutes) ORDER BY s.position, s.id), '[]')::text "                        \
    "FROM recruiting.published_stages s WHERE s.job_id = j.id) "                                                       \
    "FROM recruiting.published_jobs j "

// One published job. The view decides what is published: an unpublished, a closed and an unknown job are all no row.
constexpr char const* job_sql = JOB_COLUMNS "WHERE j.id = $1";

// A page of an organization's published jobs, newest publication first. Every filter is there and off when NULL: one
// text, prepared once. What is filtered is one organization's published jobs (index jobs_published), never the table.
// Callers ask for one row more than they show, to learn whether there is a next page.
constexpr char const* jobs_sql = JOB_COLUMNS R"(
WHERE j.organization_id = (SELECT o.id FROM recruiting.published_organizations o WHERE o.slug = $1)
  AND ($2::text IS NULL OR j.department = $2)
  AND ($3::text IS NULL OR lower($3) IN (lower(j.location_city), lower(j.location_name), lower(j.location_region)))
  AND ($4::text IS NULL OR j.workplace_type = $4)
  AND ($5::text IS NULL OR j.employment_type = $5)
  AND ($6::text IS NULL OR NOT EXISTS (
          SELECT FROM regexp_split_to_table(recruiting.search_key($6), '\s+') AS word
          WHERE strpos(recruiting.search_key(j.title), word) = 0))
  AND ($7::timestamptz IS NULL OR (j.published_at, j.id) < ($7, $8::uuid))
ORDER BY j.published_at DESC, j.id DESC LIMIT $9)";
#undef JOB_COLUMNS

} // namespace

pg::statement select_job(uuid const& id) {
    pg::params params;
    params.id(id);
    return {job_sql, std::move(params)};
}

pg::statement select_jobs(job_filters const& filters, std::optional<job_position> const& after, std::int64_t most) {
    pg::params params;
    params.text(filters.organization_slug)
        .optional_text(filters.department)
        .optional_text(filters.location)
        .optional_text(filters.workplace_type)
        .optional_text(filters.employment_type)
        .optional_text(filters.q);
    if (after) params.time(after->published_at).id(after->id);
    else params.null().null();
    params.integer(most);
    return {jobs_sql, std::move(params)};
}

} // namespace recruiting::public_api
