#include "http/admin.hpp"

#include "http/json_writer.hpp"
#include "http/problem.hpp"

namespace recruiting::http {

task<response> admin_handler::handle(request const& req) {
    response answer;
    if (req.path == "/healthz") {
        answer.body = R"({"status":"ok"})";
    } else if (req.path == "/readyz") {
        answer = readiness();
    } else if (req.path == "/metrics") {
        answer.content_type = "text/plain; version=0.0.4; charset=utf-8";
        answer.body = registry_.render();
    } else {
        answer = reject(make_error(error_code::not_found), req.header("X-Request-Id"));
    }
    co_return answer;
}

response admin_handler::reject(api_error const& error, std::string_view inbound_request_id) {
    return problem_response(error, request_id_for(inbound_request_id), {});
}

response admin_handler::readiness() const {
    response answer;
    json_writer json(answer.body);
    json.open_object().key("checks").open_object();
    bool ready = true;
    for (auto const& [name, check] : ready_) {
        auto const wrong = check();
        ready = ready && wrong.empty();
        json.field(name, wrong.empty() ? std::string_view("ok") : std::string_view(wrong));
    }
    for (auto const& [name, check] : told_) {
        auto const wrong = check();
        json.field(name, wrong.empty() ? std::string_view("ok") : std::string_view(wrong));
    }
    json.close_object().field("status", ready ? "ready" : "not ready").close_object();
    answer.status = ready ? 200 : 503;
    return answer;
}

} // namespace recruiting::http
