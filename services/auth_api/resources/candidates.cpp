#include "auth_api/resources/candidates.hpp"

#include "auth_api/resources/candidates_json.hpp"
#include "auth_api/resources/candidates_store.hpp"
#include "auth_api/resources/jobs_store.hpp"
#include "auth_api/resources/next_interviews.hpp"
#include "auth_api/resources/search_words.hpp"

namespace recruiting::auth_api {
namespace {

void write_candidate_with_application(http::json_writer& json, pg::rows const& rows, int row) {
    write_candidate_members(json, rows, row);
    json.key("application").open_object();
    write_application_members(json, rows, row, candidate_columns);
    json.close_object();
}

// A member's name is shown only to a key that could read the member too.
bool sees_members(auth::principal const& who) { return who.effective.test(*scope_index("members:read")); }

// Rows first to end, whose columns from `column` on are an application and its next interview; null where there is
// none.
struct shown_applications {
    pg::rows const& rows;
    int first;
    int end;
    int column;
};

void write_applications(http::json_writer& json, shown_applications const& of, auth::principal const& who) {
    json.key("applications").open_array();
    for (int row = of.first; row < of.end; ++row) {
        if (of.rows.is_null(row, of.column)) continue;
        json.open_object();
        write_application_members(json, of.rows, row, of.column);
        write_next_interview(json, of.rows, row, of.column + application_columns, sees_members(who));
        json.close_object();
    }
    json.close_array();
}

result<void> render_candidate(std::span<pg::rows const> results, render_context const& context,
                              http::response& answer) {
    if (results[0].empty()) return make_error(error_code::not_found);
    http::json_writer json(answer.body);
    json.open_object().key("data").open_object();
    write_candidate_members(json, results[0], 0);
    write_applications(json, {results[1], 0, results[1].size(), 0}, context.who);
    json.close_object().close_object();
    return {};
}

using write_members = void (*)(http::json_writer&, pg::rows const&, int row);

result<void> render_list(list_query const& list, std::span<pg::rows const> results, render_context const& context,
                         http::response& answer, write_members write) {
    return list.render(results, context, answer, [&](http::json_writer& json, pg::rows const& rows, int row) {
        json.open_object();
        bool const deleted = is_deleted_candidate(rows, row);
        (deleted ? write_deleted_candidate_members : write)(json, rows, row);
        if (list.has_inclusion() && !deleted)
            write_applications(json, {rows, row, list.record_end(rows, row), list.included_columns()}, context.who);
        json.close_object();
    });
}

// The filters that both lists of candidates have.
void add_candidate_filters(bind_input& in, list_query& list) {
    if (auto const email = in.query.text("email", 254)) list.where(candidate_has_email, *email);
    if (auto const external = in.query.text("externalId", longest_external_id))
        list.where(candidate_has_external_id, *external);
    if (auto const source = in.query.text("source")) list.where(candidate_has_source, *source);
    if (auto const tag = in.query.text("tag")) list.where(candidate_has_tag, *tag);
    if (auto const q = read_search(in.query)) list.where_words(*q, candidate_words);
}

bool includes_applications(bind_input& in) {
    return http::read_choices(in.query, "include", {"applications"}).has_value();
}

std::optional<http::value_list> read_statuses(bind_input& in) {
    return http::read_choices(in.query, "status", {"active", "hired", "rejected", "withdrawn"});
}

// Several of these ask for one application that fulfils them all.
void add_application_filters(bind_input& in, list_query& list) {
    application_conditions wanted;
    std::string_view first; // of the parameters given
    auto const given = [&](std::string_view name) { return first = first.empty() ? name : first; };
    if (auto const jobs = http::read_ids(in.query, "jobId")) {
        wanted.of_jobs(list.any_of(*jobs, "uuid"));
        given("jobId");
    }
    if (auto const stages = http::read_ids(in.query, "stageId")) {
        wanted.in_stages(list.any_of(*stages, "uuid"));
        given("stageId");
    }
    if (auto const external = in.query.text("applicationExternalId", longest_external_id)) {
        wanted.with_external_id(list.any_of({*external}));
        given("applicationExternalId");
    }
    if (auto const statuses = read_statuses(in)) {
        wanted.with_status(list.any_of(*statuses));
        given("status");
    }
    auto const condition = wanted.of_candidate();
    if (!condition.empty()) list.where_all({first, condition, wanted.index()});
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

result<prepared_read> get_candidate(bind_input& in) {
    if (auto const checked = finish_query(in); !checked) return checked.error();
    auto const id = path_id(in);
    if (!id) return id.error();
    return prepared_read{{candidate_record(*id), candidate_applications(*id)}, render_candidate, nullptr};
}

result<prepared_read> list_job_candidates(bind_input& in) {
    auto const job = path_id(in);
    list_query list(in, job_candidate_list, job ? *job : uuid{});
    add_candidate_filters(in, list);
    if (auto const stages = http::read_ids(in.query, "stageId"))
        list.where_any({"stageId", "a.stage_id = ?::uuid", filter_index::sorted}, *stages);
    if (auto const external = in.query.text("applicationExternalId", longest_external_id))
        list.where({"applicationExternalId", "a.external_id = ?", filter_index::unique}, *external);
    if (auto const statuses = read_statuses(in)) list.where_any({"status", "a.status = ?"}, *statuses);
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
