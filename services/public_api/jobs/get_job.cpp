#include "public_api/jobs/get_job.hpp"

#include "public_api/jobs/job_json.hpp"
#include "public_api/jobs/job_store.hpp"

namespace recruiting::public_api {
namespace {

result<http::response> render(std::vector<pg::rows> const& results) {
    auto const& jobs = results.at(0);
    if (jobs.empty()) return make_error(error_code::not_found);
    http::response answer;
    http::json_writer json(answer.body);
    json.open_object().key("data");
    write_job(json, jobs, 0);
    json.close_object();
    return answer;
}

} // namespace

result<plan> get_job(call const& from) {
    auto const id = parse_id(from.params[0]);
    if (!id) return make_error(error_code::not_found);
    plan out;
    out.segment.push_back(select_job(*id));
    out.render = render;
    return out;
}

} // namespace recruiting::public_api
