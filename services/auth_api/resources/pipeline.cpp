#include "auth_api/resources/pipeline.hpp"

#include "auth_api/resources/interviews_store.hpp"
#include "auth_api/resources/jobs_store.hpp"
#include "auth_api/resources/next_interviews.hpp"
#include "auth_api/resources/pipeline_store.hpp"
#include "http/json_writer.hpp"

namespace recruiting::auth_api {
namespace {

// Names are candidates' data: shown only to a key that could read the candidates too.
bool sees_names(auth::principal const& who) { return who.effective.test(*scope_index("candidates:read")); }

struct shown_applications {
    pg::rows const& rows;
    next_interviews interviews;
    bool names;
};

void write_application(http::json_writer& json, shown_applications const& shown, int row) {
    auto const& rows = shown.rows;
    json.open_object()
        .field("applicationId", rows.id(row, 1))
        .field("candidateId", rows.id(row, 2))
        .key("candidateName");
    if (shown.names) json.value(rows.text(row, 3));
    else json.null();
    json.field("stageEnteredAt", rows.time(row, 4));
    shown.interviews.write(json, rows.id(row, 1));
    json.close_object();
}

// Writes the stage's applications, which begin at row; returns the first row of the next stage.
int write_applications(http::json_writer& json, shown_applications const& all, int row, uuid const& stage) {
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
        write_application(json, all, row);
    }
    json.close_array().field("hasMore", more);
    return row;
}

void write_stages(http::json_writer& json, pg::rows const& stages, shown_applications const& applications) {
    json.key("stages").open_array();
    int next = 0;
    for (int row = 0; row < stages.size(); ++row) {
        json.open_object()
            .field("id", stages.id(row, 0))
            .field("name", stages.text(row, 1))
            .field("kind", stages.text(row, 2))
            .field("position", stages.integer(row, 3))
            .field("bookable", stages.boolean(row, 4))
            .field("interviewDurationMinutes", stages.optional_integer(row, 5))
            .field("candidateCount", stages.integer(row, 6));
        next = write_applications(json, applications, next, stages.id(row, 0));
        json.close_object();
    }
    json.close_array();
}

result<void> render_pipeline(std::span<pg::rows const> results, render_context const& context, http::response& answer) {
    auto const& job = results[0];
    auto const& totals = results[3];
    if (job.empty()) return make_error(error_code::not_found);
    http::json_writer json(answer.body);
    json.open_object().key("data").open_object().field("jobId", job.id(0, 0)).field("jobTitle", job.text(0, 1));
    write_stages(json, results[1], {results[2], {results[4], context.who}, sees_names(context.who)});
    json.key("totals")
        .open_object()
        .field("active", totals.integer(0, 0))
        .field("hired", totals.integer(0, 1))
        .field("rejected", totals.integer(0, 2))
        .field("withdrawn", totals.integer(0, 3))
        .close_object();
    json.close_object().close_object();
    return {};
}

} // namespace

result<prepared_read> get_pipeline(bind_input& in) {
    if (!in.query.has("jobId")) in.query.problem("jobId", "missing", "Name the job: jobId=<job id>.");
    auto const job = in.query.id("jobId");
    if (auto const checked = finish_query(in); !checked) return checked.error();
    return prepared_read{{job_with_candidates(*job), pipeline_stages(*job), pipeline_applications(*job),
                          pipeline_totals(*job), interviews_of_job(*job)},
                         render_pipeline,
                         nullptr,
                         read_cost::bulk};
}

} // namespace recruiting::auth_api
