#include "auth_api/jobs/jobs.hpp"

#include "auth_api/jobs/jobs_json.hpp"
#include "auth_api/jobs/jobs_store.hpp"
#include "auth_api/search_words.hpp"

namespace recruiting::auth_api {
namespace {

void write_job(http::json_writer& json, pg::rows const& rows, int row) {
    json.open_object();
    write_job_members(json, rows, row);
    json.close_object();
}

result<void> render_job(std::span<pg::rows const> results, render_context const&, http::response& answer) {
    if (results[0].empty()) return make_error(error_code::not_found);
    http::json_writer json(answer.body);
    json.open_object().key("data");
    write_job_detail(json, results[0]);
    json.close_object();
    return {};
}

} // namespace

result<prepared_read> list_jobs(bind_input& in) {
    list_query list(in, job_list);
    if (auto const status = in.query.choice("status", {"draft", "open", "on_hold", "closed", "archived"}))
        list.where("j.status = ?", *status);
    if (auto const department = in.query.text("department")) list.where("j.department = ?", *department);
    if (auto const published = in.query.boolean("published"))
        list.where("j.published = ?::boolean", *published ? "t" : "f");
    for (auto const& word : read_search(in.query)) list.where(job_matches_word, word);
    auto statements = list.statements();
    if (auto const checked = finish_query(in); !checked) return checked.error();
    return prepared_read{
        std::move(statements),
        [list](std::span<pg::rows const> results, render_context const& context, http::response& answer) {
            list.render(results, context, answer, write_job);
            return result<void>{};
        },
        nullptr};
}

result<prepared_read> get_job(bind_input& in) {
    if (auto const checked = finish_query(in); !checked) return checked.error();
    auto const id = path_id(in);
    if (!id) return id.error();
    return prepared_read{{job_record(*id)}, render_job, nullptr};
}

} // namespace recruiting::auth_api
