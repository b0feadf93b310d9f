#include "gateway/admin.hpp"

#include "http/json_writer.hpp"

namespace recruiting::gateway {

task<http::response> admin::handle(http::request const& req) {
    http::response answer;
    if (req.path == "/readyz") answer = readiness();
    else answer = co_await common_.handle(req);
    co_return answer;
}

http::response admin::readiness() const {
    auto const& counters = worker_.counters;
    http::response answer;
    answer.status = worker_.draining ? 503 : 200;
    http::json_writer json(answer.body);
    json.open_object().field("status", worker_.draining ? "draining" : "ready").key("checks").open_object();
    json.field("redis", worker_.redis.ready() ? "ok" : "away: counting alone");
    json.field("authApi", counters.upstreams[0].up.value() == 1 ? "ok" : "away: answering 503");
    json.field("publicApi", counters.upstreams[1].up.value() == 1 ? "ok" : "away: answering 503");
    json.close_object().close_object();
    return answer;
}

} // namespace recruiting::gateway
