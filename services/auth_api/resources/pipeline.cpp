// GET /pipeline?jobId=.
#include "auth_api/resources/candidates.hpp"
#include "auth_api/resources/endpoints.hpp"
#include "auth_api/resources/shared_fields.hpp"

namespace recruiting::auth_api {
namespace {

constexpr int most_applications_per_stage = 100;

// The stages with how many applications each holds, in any status and active: the sum over all stages is the job's
// candidateCount.
constexpr auto pipeline_stages_sql = R"sql(
SELECT s.id, s.name, s.kind, s.position, s.bookable, s.interview_duration_minutes,
       coalesce(n.applications, 0), coalesce(n.active, 0)
FROM recruiting.stages s
LEFT JOIN (SELECT c.stage_id, sum(c.applications)::bigint AS applications,
                  coalesce(sum(c.applications) FILTER (WHERE c.status = 'active'), 0)::bigint AS active
           FROM recruiting.stage_counts c WHERE c.job_id = $1::uuid GROUP BY c.stage_id) AS n ON n.stage_id = s.id
WHERE s.job_id = $1::uuid ORDER BY s.position, s.id
)sql";

// The first active applications of each stage, the longest waiting first; one more than shown means hasMore. Whether
// the caller may read the job is checked once, not per application.
constexpr auto pipeline_applications_sql =
    "SELECT s.id, a.id, a.candidate_id, a.name, a.stage_entered_at "
    "FROM recruiting.stages s "
    "CROSS JOIN LATERAL ("
    "    SELECT x.id, x.candidate_id, c.name, x.stage_entered_at"
    "    FROM recruiting.applications x JOIN recruiting.candidates c ON c.id = x.candidate_id"
    "    WHERE x.stage_id = s.id AND x.status = 'active' AND x.deleted_at IS NULL AND c.deleted_at IS NULL"
    "    ORDER BY x.stage_entered_at, x.id LIMIT $2::bigint + 1) AS a "
    "WHERE s.job_id = $1::uuid AND " RECRUITING_SEES_JOB " ORDER BY s.position, s.id, a.stage_entered_at, a.id";

// How many applications the job has in each status.
constexpr auto pipeline_totals_sql = R"sql(
SELECT coalesce(sum(applications) FILTER (WHERE status = 'active'), 0)::bigint,
       coalesce(sum(applications) FILTER (WHERE status = 'hired'), 0)::bigint,
       coalesce(sum(applications) FILTER (WHERE status = 'rejected'), 0)::bigint,
       coalesce(sum(applications) FILTER (WHERE status = 'withdrawn'), 0)::bigint
FROM recruiting.stage_counts WHERE job_id = $1::uuid
)sql";

struct stage_applications {
    uuid job;
    pg::rows const& rows;
    next_interviews interviews;
    bool names;
};

void write_stage_application(http::json_writer& json, stage_applications const& shown, pg::row row) {
    auto const id = row.id();
    json.open_object().field("applicationId", id).field("candidateId", row.id());
    auto const name = row.optional_text();
    json.field("candidateName", shown.names ? name : std::nullopt).field("stageEnteredAt", row.time());
    shown.interviews.write(json, id);
    json.close_object();
}

// Writes the stage's applications, which begin at row; returns the first row of the next stage.
int write_stage_applications(http::json_writer& json, stage_applications const& all, int row, uuid const& stage) {
    auto const& rows = all.rows;
    json.key("applications").open_array();
    int shown = 0;
    bool more = false;
    for (; row < rows.size() && rows.id(row, 0) == stage; ++row) {
        if (shown == most_applications_per_stage) {
            more = true;
            continue;
        }
        ++shown;
        write_stage_application(json, all, rows[row].from(1));
    }
    json.close_array().field("hasMore", more);
    return row;
}

// The list that has all of the stage's active applications, not only the first. Below the same prefix as the pipeline.
std::string candidates_url(std::string_view path, uuid const& job, uuid const& stage) {
    return std::string(path.substr(0, path.rfind("/pipeline"))) + "/jobs/" + to_string(job) +
           "/candidates?stageId=" + to_string(stage) + "&status=active";
}

void write_pipeline_stages(http::json_writer& json, pg::rows const& stages, stage_applications const& applications,
                           std::string_view path) {
    json.key("stages").open_array();
    int next = 0;
    for (auto row : stages) {
        auto const id = row.from(0).id();
        json.open_object();
        write_columns(json, row,
                      {"id", "name", "kind", "position", "bookable", "interviewDurationMinutes", "candidateCount",
                       "activeCount"});
        json.field("candidatesUrl", candidates_url(path, applications.job, id));
        next = write_stage_applications(json, applications, next, id);
        json.close_object();
    }
    json.close_array();
}

result<void> render_pipeline(std::span<pg::rows const> results, render_context const& context, http::response& answer) {
    return render_record(results[0], answer, [&](http::json_writer& json, pg::row job) {
        auto const id = job.from(0).id();
        write_columns(json, job, {"jobId", "jobTitle"});
        write_pipeline_stages(json, results[1],
                              {id, results[2], {results[4], context.principal}, may_read_candidates(context.principal)},
                              context.path);
        auto totals = results[3][0];
        json.key("totals");
        write_object(json, totals, {"active", "hired", "rejected", "withdrawn"});
    });
}

} // namespace

result<prepared_read> get_pipeline(bind_input& in) {
    if (!in.query.has("jobId")) in.query.problem("jobId", "missing", "Name the job: jobId=<job id>.");
    auto const job = in.query.id("jobId");
    if (auto const checked = finish_query(in); !checked) return checked.error();
    return prepared_read{
        .statements = {job_with_candidates(*job),
                       {pipeline_stages_sql, pg::params().id(*job)},
                       {pipeline_applications_sql, pg::params().id(*job).integer(most_applications_per_stage)},
                       {pipeline_totals_sql, pg::params().id(*job)},
                       interviews_of_job(*job)},
        .render = render_pipeline,
        .cost = read_cost::bulk};
}

} // namespace recruiting::auth_api
