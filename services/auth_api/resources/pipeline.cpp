// GET /pipeline?jobId=.
#include "auth_api/resources/applications.hpp"
#include "auth_api/resources/endpoints.hpp"
#include "auth_api/resources/shared_fields.hpp"

namespace recruiting::auth_api {
namespace {

constexpr int most_applications_per_stage = 100;

// The stages with how many active applications each holds.
constexpr auto pipeline_stages_sql = R"sql(
SELECT s.id, s.name, s.kind, s.position, s.bookable, s.interview_duration_minutes,
       coalesce((SELECT c.applications FROM recruiting.stage_counts c
                 WHERE c.job_id = s.job_id AND c.stage_id = s.id AND c.status = 'active'), 0)
FROM recruiting.stages s WHERE s.job_id = $1::uuid ORDER BY s.position, s.id
)sql";
struct pipeline_stage_columns {
    enum : int { id, name, kind, position, bookable, interview_minutes, applications };
};

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
struct pipeline_application_columns {
    enum : int { stage_id, id, candidate_id, candidate_name, stage_entered_at };
};

// How many applications the job has in each status.
constexpr auto pipeline_totals_sql = R"sql(
SELECT coalesce(sum(applications) FILTER (WHERE status = 'active'), 0)::bigint,
       coalesce(sum(applications) FILTER (WHERE status = 'hired'), 0)::bigint,
       coalesce(sum(applications) FILTER (WHERE status = 'rejected'), 0)::bigint,
       coalesce(sum(applications) FILTER (WHERE status = 'withdrawn'), 0)::bigint
FROM recruiting.stage_counts WHERE job_id = $1::uuid
)sql";
struct pipeline_total_columns {
    enum : int { active, hired, rejected, withdrawn };
};

struct stage_applications {
    pg::rows const& rows;
    next_interviews interviews;
    bool names;
};

void write_stage_application(http::json_writer& json, stage_applications const& shown, int row) {
    using columns = pipeline_application_columns;
    auto const& rows = shown.rows;
    json.open_object()
        .field("applicationId", rows.id(row, columns::id))
        .field("candidateId", rows.id(row, columns::candidate_id))
        .field("candidateName", shown.names ? rows.optional_text(row, columns::candidate_name) : std::nullopt)
        .field("stageEnteredAt", rows.time(row, columns::stage_entered_at));
    shown.interviews.write(json, rows.id(row, columns::id));
    json.close_object();
}

// Writes the stage's applications, which begin at row; returns the first row of the next stage.
int write_stage_applications(http::json_writer& json, stage_applications const& all, int row, uuid const& stage) {
    using columns = pipeline_application_columns;
    auto const& rows = all.rows;
    json.key("applications").open_array();
    int shown = 0;
    bool more = false;
    for (; row < rows.size() && rows.id(row, columns::stage_id) == stage; ++row) {
        if (shown == most_applications_per_stage) {
            more = true;
            continue;
        }
        ++shown;
        write_stage_application(json, all, row);
    }
    json.close_array().field("hasMore", more);
    return row;
}

void write_pipeline_stages(http::json_writer& json, pg::rows const& stages, stage_applications const& applications) {
    using columns = pipeline_stage_columns;
    json.key("stages").open_array();
    int next = 0;
    for (int row = 0; row < stages.size(); ++row) {
        json.open_object()
            .field("id", stages.id(row, columns::id))
            .field("name", stages.text(row, columns::name))
            .field("kind", stages.text(row, columns::kind))
            .field("position", stages.integer(row, columns::position))
            .field("bookable", stages.boolean(row, columns::bookable))
            .field("interviewDurationMinutes", stages.optional_integer(row, columns::interview_minutes))
            .field("candidateCount", stages.integer(row, columns::applications));
        next = write_stage_applications(json, applications, next, stages.id(row, columns::id));
        json.close_object();
    }
    json.close_array();
}

result<void> render_pipeline(std::span<pg::rows const> results, render_context const& context, http::response& answer) {
    auto const& job = results[0];
    auto const& totals = results[3];
    return render_record(job, answer, [&](http::json_writer& json) {
        json.field("jobId", job.id(0, job_with_candidates_columns::id))
            .field("jobTitle", job.text(0, job_with_candidates_columns::title));
        write_pipeline_stages(json, results[1],
                              {results[2], {results[4], context.principal}, may_read_candidates(context.principal)});
        using columns = pipeline_total_columns;
        json.key("totals")
            .open_object()
            .field("active", totals.integer(0, columns::active))
            .field("hired", totals.integer(0, columns::hired))
            .field("rejected", totals.integer(0, columns::rejected))
            .field("withdrawn", totals.integer(0, columns::withdrawn))
            .close_object();
    });
}

} // namespace

result<prepared_read> get_pipeline(bind_input& in) {
    if (!in.query.has("jobId")) in.query.problem("jobId", "missing", "Name the job: jobId=<job id>.");
    auto const job = in.query.id("jobId");
    if (auto const checked = finish_query(in); !checked) return checked.error();
    return prepared_read{{job_with_candidates(*job),
                          {pipeline_stages_sql, pg::params().id(*job)},
                          {pipeline_applications_sql, pg::params().id(*job).integer(most_applications_per_stage)},
                          {pipeline_totals_sql, pg::params().id(*job)},
                          interviews_of_job(*job)},
                         render_pipeline,
                         nullptr,
                         read_cost::bulk};
}

} // namespace recruiting::auth_api
