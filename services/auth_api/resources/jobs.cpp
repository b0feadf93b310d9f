#include "auth_api/resources/jobs.hpp"

#include "auth_api/resources/jobs_json.hpp"
#include "auth_api/resources/jobs_store.hpp"
#include "auth_api/resources/search_words.hpp"

#include <algorithm>

namespace recruiting::auth_api {
namespace {

constexpr job_parts whole_job{true, true};
// A description is 100,000 characters at most, as HTML and as text: what one answer holds stays bounded.
constexpr std::int64_t most_descriptions = 50;

job_parts read_include(bind_input& in) {
    auto const names = http::read_choices(in.query, "include", {"stages", "description"}).value_or(http::value_list());
    auto const has = [&](std::string_view name) { return std::ranges::find(names, name) != names.end(); };
    return {has("description"), has("stages")};
}

result<void> render_job(std::span<pg::rows const> results, render_context const& context, http::response& answer) {
    if (results[0].empty()) return make_error(error_code::not_found);
    http::json_writer json(answer.body);
    json.open_object().key("data");
    write_job(json, results[0], 0, whole_job, context.public_url);
    json.close_object();
    return {};
}

} // namespace

result<prepared_read> list_jobs(bind_input& in) {
    auto const included = read_include(in);
    list_query list(in, job_list(included));
    if (included.description && list.given_limit().value_or(0) > most_descriptions)
        in.query.problem("limit", "out_of_range",
                         "Must be a number from 1 to " + std::to_string(most_descriptions) + " with descriptions.");
    if (auto const status = http::read_choices(in.query, "status", {"draft", "open", "on_hold", "closed", "archived"}))
        list.where_any(job_has_status, *status);
    if (auto const external = in.query.text("externalId", longest_external_id))
        list.where(job_has_external_id, *external);
    if (auto const department = in.query.text("department")) list.where(job_of_department, *department);
    if (auto const published = in.query.boolean("published")) list.where(job_is_published, *published ? "t" : "f");
    if (auto const q = read_search(in.query)) list.where_words(*q, job_words);
    auto statements = list.statements();
    if (auto const checked = finish_query(in); !checked) return checked.error();
    return list.prepared(
        std::move(statements),
        [list, included](std::span<pg::rows const> results, render_context const& context, http::response& answer) {
            return list.render(results, context, answer, [&](http::json_writer& json, pg::rows const& rows, int row) {
                write_job(json, rows, row, included, context.public_url);
            });
        });
}

result<prepared_read> get_job(bind_input& in) {
    if (auto const checked = finish_query(in); !checked) return checked.error();
    auto const id = path_id(in);
    if (!id) return id.error();
    return prepared_read{{job_record(*id)}, render_job, nullptr};
}

} // namespace recruiting::auth_api
