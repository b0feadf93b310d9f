// GET /candidates, GET /candidates/{id}, GET /jobs/{id}/candidates.
#include "auth_api/resources/candidates.hpp"

#include "auth_api/resources/endpoints.hpp"
#include "auth_api/resources/shared_fields.hpp"

namespace recruiting::auth_api {
namespace {

// record: the members of its JSON object, kept by trigger.
#define RECRUITING_CANDIDATE_COLUMNS "c.id, c.record"

// GET /candidates/{id}.
constexpr auto candidate_record_sql =
    "SELECT " RECRUITING_CANDIDATE_COLUMNS " FROM recruiting.candidates c WHERE c.id = ANY ($1::uuid[]) "
    "AND c.deleted_at IS NULL";

// The agent's tool count_candidates. Row-level security leaves the caller's candidates; a hiring manager's are found by
// their jobs, because the policy would ask about each candidate of the organization.
constexpr auto candidate_count_sql = R"sql(
SELECT CASE WHEN (SELECT recruiting.has_role('hiring_manager'))
       THEN (SELECT count(*) FROM recruiting.candidates c WHERE c.deleted_at IS NULL AND c.id = ANY (ARRAY(
                 SELECT DISTINCT a.candidate_id FROM recruiting.hiring_teams t
                 JOIN recruiting.applications a ON a.job_id = t.job_id AND a.deleted_at IS NULL
                 WHERE t.membership_id = (SELECT recruiting.current_member_id()))))
       ELSE (SELECT count(*) FROM recruiting.candidates c
             WHERE c.organization_id = (SELECT recruiting.current_organization_id()) AND c.deleted_at IS NULL) END
)sql";

// A hiring manager's candidates are found by their jobs, however many others the organization has.
constexpr restricted_shape own_candidates = {
    .from = R"sql(FROM recruiting.candidates c WHERE c.id = ANY (ARRAY(
        SELECT u.id FROM (
            SELECT DISTINCT p.place, p.id FROM recruiting.hiring_teams t
            CROSS JOIN LATERAL (
                SELECT {job_sort} AS place, {job_id} AS id
                FROM recruiting.applications a JOIN recruiting.candidates c ON c.id = a.candidate_id
                WHERE a.job_id = t.job_id AND a.deleted_at IS NULL{job_conditions}{after}
                ORDER BY {job_sort} {direction}, {job_id} {direction} LIMIT {limit}) AS p
            WHERE t.membership_id = (SELECT recruiting.current_member_id())
              AND (SELECT recruiting.has_role('hiring_manager'))
            ORDER BY p.place {direction}, p.id {direction} LIMIT {limit}) AS u)))sql",
    .sorts = {"a.candidate_created_at", "c.updated_at", "c.sort_name"},
    .id = "a.candidate_id",
    .first = R"sql(FROM recruiting.candidates c WHERE (SELECT recruiting.has_role('hiring_manager'))
        AND c.id = ANY ((SELECT recruiting.first_own_candidates(
            {is_descending}, {created_after}, {created_before}, {after_sort}, {after_id}, {limit}))::uuid[]){conditions})sql",
};

// GET /candidates. The organization's condition repeats what row-level security adds, so that the planner reads the
// list's own index in its order.
list_shape const candidate_list = {
    .route = "/candidates",
    .columns = RECRUITING_CANDIDATE_COLUMNS,
    .from = "FROM recruiting.candidates c WHERE c.organization_id = (SELECT recruiting.current_organization_id())",
    .live = "c.deleted_at IS NULL",
    .id = "c.id",
    .sorts = {{{"createdAt", "c.created_at", true},
               {"updatedAt", "c.updated_at", true, false}, // a hiring manager's jobs have no index of it
               {"name", "c.sort_name", false, false}}},
    .feed = candidate_feed,
    .record = "LEFT JOIN recruiting.candidates c ON c.id = f.id",
    .gone = "c.deleted_at",
    .depends_on_caller = true,
    .most_read = 10'000,
    .restricted = &own_candidates,
    .may_be_behind = true,
};

// GET /jobs/{id}/candidates. Sorted by the application's copy of the candidate's creation time: the job's own index
// gives the page in its order. Whether the caller may read the job is checked once, not per application.
list_shape const job_candidate_list = {
    .route = "/jobs/{id}/candidates",
    .columns = RECRUITING_CANDIDATE_COLUMNS ", " RECRUITING_APPLICATION_COLUMNS,
    .from = "FROM recruiting.applications a JOIN recruiting.candidates c ON c.id = a.candidate_id "
            "JOIN recruiting.stages s ON s.id = a.stage_id WHERE a.job_id = $1::uuid AND a.deleted_at IS NULL "
            "AND " RECRUITING_SEES_JOB,
    .live = "c.deleted_at IS NULL",
    .id = "a.candidate_id",
    .sorts = {{{"createdAt", "a.candidate_created_at", true},
               {"updatedAt", "c.updated_at", true, false},
               {"name", "c.sort_name", false, false}}},
    .feed = job_candidate_feed,
    .record = "LEFT JOIN (recruiting.applications a JOIN recruiting.candidates c ON c.id = a.candidate_id "
              "JOIN recruiting.stages s ON s.id = a.stage_id) "
              "ON a.candidate_id = f.id AND a.job_id = $1::uuid AND a.deleted_at IS NULL",
    .gone = "c.deleted_at",
    .depends_on_caller = true,
    .may_be_behind = true,
    .parent = job_with_candidates,
};

// include=applications of either list.
list_inclusion inclusion_of_applications(std::string_view feed) {
    return {"applications", included_applications, included_application_columns, feed, "members:read"};
}
list_inclusion const candidate_applications_included = inclusion_of_applications(interviews_over);
list_inclusion const job_candidate_applications_included = inclusion_of_applications(interviews_over_of_job);
#undef RECRUITING_CANDIDATE_COLUMNS

void write_candidate_members(http::json_writer& json, pg::row& row) { json.raw(row.skip().text()); }

result<void> render_candidate(std::span<pg::rows const> results, render_context const& context,
                              http::response& answer) {
    return render_record(results[0], answer, [&](http::json_writer& json, pg::row row) {
        write_candidate_members(json, row);
        write_applications(json, {results[1], 0, results[1].size(), 0}, context.principal);
    });
}

// The candidate and, in a job's list, its application for that job.
template <bool of_job>
void write_listed_candidate(http::json_writer& json, list_record const& record) {
    auto row = record.row;
    json.open_object();
    write_candidate_members(json, row);
    if constexpr (of_job) {
        json.key("application").open_object();
        write_application_members(json, row);
        json.close_object();
    }
    if (record.included > 0)
        write_applications(json, {row.of(), row.number(), record.end, record.included}, record.context.principal);
    json.close_object();
}

bool includes_applications(bind_input& in) {
    return http::read_choices(in.query, "include", {"applications"}).has_value();
}

} // namespace

result<prepared_read> list_candidates(bind_input& in) {
    list_builder list(in, candidate_list);
    filter_candidates(list);
    if (includes_applications(in)) list.include(candidate_applications_included);
    return list.read(write_listed_candidate<false>);
}

result<prepared_read> count_candidates(bind_input& in) {
    if (auto const checked = finish_query(in); !checked) return checked.error();
    auto const render = [](std::span<pg::rows const> results, render_context const&, http::response& answer) {
        return render_record(results[0], answer,
                             [](http::json_writer& json, pg::row row) { write_columns(json, row, {"count"}); });
    };
    return prepared_read{{{candidate_count_sql, {}}}, render, nullptr, read_cost::bulk};
}

result<prepared_read> get_candidate(bind_input& in) {
    if (auto const checked = finish_query(in); !checked) return checked.error();
    auto const id = path_id(in);
    if (!id) return id.error();
    return prepared_read{{pg::read_record(candidate_record_sql, *id), candidate_applications(*id)}, render_candidate};
}

result<prepared_read> list_job_candidates(bind_input& in) {
    auto const job = path_id(in);
    list_builder list(in, job_candidate_list, job ? *job : uuid{});
    filter_job_candidates(list);
    if (includes_applications(in)) list.include(job_candidate_applications_included);
    auto read = list.read(write_listed_candidate<true>);
    if (read && !job) return job.error();
    return read;
}

} // namespace recruiting::auth_api
