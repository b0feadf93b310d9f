// When a model server is called: retries, its address, and what a failed call means.
#include "auth_api/agent/model/remote_model.hpp"
#include "core/text.hpp"
#include "core/url.hpp"
#include "support/catch.hpp"

namespace rules_test {
using namespace recruiting;
using namespace recruiting::auth_api::agent;
using namespace std::chrono_literals;

namespace {

std::optional<std::chrono::milliseconds> pause(transfer::http_result const& failed, std::int64_t retries = 0,
                                               double jitter = 0, std::chrono::milliseconds left = 1h) {
    return retry_pause(failed, {retries, 10, left, jitter});
}

using failure = transfer::http_failure::kind;
transfer::http_result failed(failure why) { return transfer::http_failure{why, ""}; }
transfer::http_result with_status(unsigned status) { return transfer::http_answer{status, {}, {}, {}}; }
transfer::http_result answered(unsigned status, std::optional<std::chrono::seconds> after = {}) {
    return transfer::http_answer{status, {}, after, {}};
}
auto const not_connected = failed(failure::connect_failed);

} // namespace

TEST_CASE("only what was surely not begun is repeated", "[agent][retry]") {
    CHECK(pause(not_connected));
    CHECK(pause(answered(429)));
    CHECK(pause(answered(503)));
    for (unsigned const status : {0U, 200U, 302U, 400U, 401U, 404U, 408U, 425U, 500U, 502U, 504U}) {
        INFO(status);
        CHECK_FALSE(pause(answered(status)));
    }
}

TEST_CASE("waits double up to a bound, half of each by chance", "[agent][retry]") {
    CHECK(pause(not_connected, 0, 0) == 125ms);
    CHECK(pause(not_connected, 0, 1) == 250ms);
    CHECK(pause(not_connected, 1, 1) == 500ms);
    CHECK(pause(not_connected, 5, 1) == 8s);
    CHECK(pause(not_connected, 9, 1) == 8s);
    CHECK(pause(not_connected, 9, 0) == 4s);
}

TEST_CASE("a server that says when is not asked earlier", "[agent][retry]") {
    CHECK(pause(answered(429, 3s), 0, 0) == 3'125ms);
    CHECK(pause(answered(503, 3s), 0, 1) == 3'250ms);
    CHECK_FALSE(pause(answered(503, 3s), 0, 1, 3'250ms)); // no time would be left
    CHECK(pause(answered(503, 3s), 0, 1, 3'251ms));
}

TEST_CASE("retries end", "[agent][retry]") {
    CHECK(retry_pause(not_connected, {1, 2, 1h, 0}));
    CHECK_FALSE(retry_pause(not_connected, {2, 2, 1h, 0}));
    CHECK_FALSE(retry_pause(not_connected, {0, 0, 1h, 0}));
    CHECK_FALSE(retry_pause(not_connected, {0, 2, 125ms, 0}));
    CHECK_FALSE(retry_pause(not_connected, {0, 2, -1s, 0}));
}

TEST_CASE("addresses of model servers", "[agent][base_url]") {
    for (std::string const url :
         {"http://127.0.0.1:11434/v1", "https://models.example/v1/", "HTTPS://h", "http://[::1]:1/v1"})
        CHECK_FALSE(base_url_problem(url));
    for (std::string const url :
         {"", "models.example/v1", "ftp://h/v1", "file:///etc/passwd", "http:/h", "http://", "http:///v1",
          "http://:80/v1", "http://h/v1?x", "http://h/v1#x", "http://h /v1", "http://me:secret@h/v1", "http://h:0",
          "http://h:", "http://h:x/v1", "http://[::1]:65536", "http://h/\nv1", "http://h/v\xc3\xbc"}) {
        INFO(url);
        CHECK(base_url_problem(url));
    }
    CHECK(url_below("http://h/v1", "/models") == "http://h/v1/models");
    CHECK(url_below("http://h/v1//", "/models") == "http://h/v1/models");
    CHECK(is_printable_ascii("sk-abc 123"));
    CHECK_FALSE(is_printable_ascii("sk\r\nX: y"));
    CHECK_FALSE(is_printable_ascii("\x7f"));
}

TEST_CASE("what a failed call is to its run", "[agent][model_call]") {
    using kind = model_failure::kind;
    CHECK_FALSE(failure_of(with_status(200)));
    CHECK(failure_of(with_status(429))->why == kind::unavailable);
    CHECK(failure_of(with_status(503))->why == kind::unavailable);
    CHECK(failure_of(with_status(500))->why == kind::bad_response);
    CHECK(failure_of(with_status(204))->why == kind::bad_response);
    CHECK(failure_of(with_status(302))->detail == "status 302");
    CHECK(failure_of(failed(failure::connect_failed))->why == kind::unavailable);
    CHECK(failure_of(failed(failure::tls))->why == kind::unavailable);
    CHECK(failure_of(failed(failure::lost))->why == kind::unavailable);
    CHECK(failure_of(failed(failure::timed_out))->why == kind::timed_out);
    CHECK(failure_of(failed(failure::too_large))->why == kind::bad_response);
    CHECK(failure_of(failed(failure::cancelled))->why == kind::cancelled);
}

TEST_CASE("a request to the server carries the key and nothing else of ours", "[agent][model_call]") {
    model_settings config;
    config.base_url = "https://models.example/v1/";
    config.api_key = "sk-1";
    auto const get = server_request(config, "/models", {});
    CHECK(get.method == transfer::http_request::verb::get);
    CHECK(get.url == "https://models.example/v1/models");
    CHECK(get.headers == std::vector<std::string>{"Accept: application/json", "Authorization: Bearer sk-1"});
    config.api_key.clear();
    auto const post = server_request(config, "/chat/completions", "{}");
    CHECK(post.method == transfer::http_request::verb::post);
    CHECK(post.headers == std::vector<std::string>{"Accept: application/json", "Content-Type: application/json"});
}

} // namespace rules_test
