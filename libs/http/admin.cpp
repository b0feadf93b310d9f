#include "http/admin.hpp"

#include "core/commit.hpp"
#include "core/settings.hpp"
#include "http/json_writer.hpp"
#include "http/problem.hpp"

namespace recruiting::http {
namespace {

response refusal(request const& req, api_error const& error) {
    return problem_response(error, request_id_for(req.header("X-Request-Id")), {});
}

} // namespace

task<response> admin_handler::handle(request const& req) {
    response answer;
    if (req.path == "/healthz") {
        json_writer json(answer.body);
        json.open_object().field("status", "ok").field("version", version()).field("commit", commit()).close_object();
    } else if (req.path == "/readyz") {
        answer = readiness();
    } else if (req.path == "/metrics") {
        answer.content_type = "text/plain; version=0.0.4; charset=utf-8";
        answer.body = registry_.render();
    } else {
        answer = refusal(req, make_error(error_code::not_found));
    }
    co_return answer;
}

task<response> admin_handler::reject(request const& req, api_error const& error) { co_return refusal(req, error); }

response admin_handler::readiness() const {
    response answer;
    json_writer json(answer.body);
    json.open_object().key("checks").open_object();
    auto const are_good = [&json](checks const& all) {
        bool good = true;
        for (auto const& [name, check] : all) {
            auto const wrong = check();
            good = good && wrong.empty();
            json.field(name, wrong.empty() ? std::string_view("ok") : std::string_view(wrong));
        }
        return good;
    };
    bool const ready = are_good(ready_);
    static_cast<void>(are_good(reported_));
    json.close_object().field("status", ready ? "ready" : "not ready").close_object();
    answer.status = ready ? 200 : 503;
    return answer;
}

} // namespace recruiting::http
