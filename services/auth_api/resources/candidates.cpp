// GET /candidates, GET /candidates/{id}, GET /jobs/{id}/candidates.
#include "auth_api/resources/applications.hpp"
#include "auth_api/resources/candidate_queries.hpp"
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
    .sorts = {{{"createdAt", "c.created_at", true},
               {"updatedAt", "c.updated_at", true, false}, // a hiring manager's jobs have no index of it
               {"name", "c.sort_name", false, false}}},
    .feed = candidate_feed,
    .record = "LEFT JOIN recruiting.candidates c ON c.id = f.id",
    .gone = "c.deleted_at",
    .by_reach = true,
    .walked = "FROM recruiting.candidates c "
              "WHERE c.organization_id = (SELECT recruiting.current_organization_id()) AND c.deleted_at IS NULL",
    .most_walked = "10000",
    .reach = &own_candidates,
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
    .by_reach = true,
    .may_be_behind = true,
};

// include=applications of either list.
list_inclusion const candidate_applications_included = {
    .name = "applications",
    .rows = included_applications,
    .feed = interviews_over,
    .visible = "members:read",
};
list_inclusion const job_candidate_applications_included = {
    .name = "applications",
    .rows = included_applications,
    .feed = interviews_over_of_job,
    .visible = "members:read",
};
#undef RECRUITING_CANDIDATE_COLUMNS

void write_candidate_members(http::json_writer& json, pg::row& row) { json.raw(row.skip().text()); }

void write_candidate_with_application(http::json_writer& json, pg::row& row) {
    write_candidate_members(json, row);
    json.key("application").open_object();
    write_application_members(json, row);
    json.close_object();
}

result<void> render_candidate(std::span<pg::rows const> results, render_context const& context,
                              http::response& answer) {
    return render_record(results[0], answer, [&](http::json_writer& json, pg::row row) {
        write_candidate_members(json, row);
        write_applications(json, {results[1], 0, results[1].size(), 0}, context.principal);
    });
}

using write_members = void (*)(http::json_writer&, pg::row&);

result<void> render_list(list_query const& list, std::span<pg::rows const> results, render_context const& context,
                         http::response& answer, write_members write) {
    return list.render(results, context, answer, [&](http::json_writer& json, pg::row row) {
        json.open_object();
        write(json, row);
        if (list.has_inclusion())
            write_applications(
                json, {row.of(), row.number(), list.record_end(row.of(), row.number()), list.included_columns()},
                context.principal);
        json.close_object();
    });
}

bool includes_applications(bind_input& in) {
    return http::read_choices(in.query, "include", {"applications"}).has_value();
}

} // namespace

result<prepared_read> list_candidates(bind_input& in) {
    list_query list(in, candidate_list);
    add_candidate_filters(in, list);
    add_application_filters(in, list);
    if (includes_applications(in)) list.include(candidate_applications_included);
    auto statements = list.statements();
    if (auto const checked = finish_query(in); !checked) return checked.error();
    return list.prepared(std::move(statements), [list](std::span<pg::rows const> results, render_context const& context,
                                                       http::response& answer) {
        return render_list(list, results, context, answer, write_candidate_members);
    });
}

result<prepared_read> count_candidates(bind_input& in) {
    if (auto const checked = finish_query(in); !checked) return checked.error();
    auto const render = [](std::span<pg::rows const> results, render_context const&, http::response& answer) {
        return render_record(results[0], answer,
                             [](http::json_writer& json, pg::row row) { json.field("count", row.integer()); });
    };
    return prepared_read{{{candidate_count_sql, {}}}, render, nullptr, read_cost::bulk};
}

result<prepared_read> get_candidate(bind_input& in) {
    if (auto const checked = finish_query(in); !checked) return checked.error();
    auto const id = path_id(in);
    if (!id) return id.error();
    return prepared_read{
        {pg::read_record(candidate_record_sql, *id), candidate_applications(*id)}, render_candidate, nullptr};
}

result<prepared_read> list_job_candidates(bind_input& in) {
    auto const job = path_id(in);
    list_query list(in, job_candidate_list, job ? *job : uuid{});
    add_candidate_filters(in, list);
    add_own_application_filters(in, list);
    if (includes_applications(in)) list.include(job_candidate_applications_included);
    auto statements = list.statements();
    if (auto const checked = finish_query(in); !checked) return checked.error();
    if (!job) return job.error();
    statements.insert(statements.begin(), job_with_candidates(*job));
    return list.prepared(std::move(statements),
                         [list](std::span<pg::rows const> results, render_context const& context,
                                http::response& answer) -> result<void> {
                             if (results[0].empty()) return make_error(error_code::not_found);
                             return render_list(list, results.subspan(1), context, answer,
                                                write_candidate_with_application);
                         });
}

} // namespace recruiting::auth_api
