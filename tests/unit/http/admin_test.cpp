#include "async/task.hpp"
#include "http/admin.hpp"
#include "support/catch.hpp"

#include <boost/json.hpp>
#include <cstdlib>

namespace admin_test {
using namespace recruiting;

namespace {

http::response ask(http::admin_handler& handler, std::string path) {
    asio::io_context context;
    http::request req;
    req.method = "GET";
    req.path = std::move(path);
    http::response answer;
    spawn(context, [](http::admin_handler& of, http::request const& what, http::response& to) -> task<void> {
        to = co_await of.handle(what);
    }(handler, req, answer));
    context.run();
    return answer;
}

} // namespace

TEST_CASE("/settings shows each setting with its value and origin, but no secret and no password", "[http][admin]") {
    std::int64_t number = 5;
    std::string address = "redis://127.0.0.1";
    std::string token;
    settings_reader reader("recruiting-sample", "a sample", "RECRUITING_SAMPLE_");
    reader.number("RECRUITING_SAMPLE_NUMBER", number, 1, 10, "A number.");
    reader.text("RECRUITING_SAMPLE_REDIS_URL", address, "An address.");
    reader.text("RECRUITING_SAMPLE_TOKEN", token, "A secret itself.");
    reader.hide_last();
    ::setenv("RECRUITING_SAMPLE_REDIS_URL", "redis://user:geheim@h:6379/1", 1);
    ::setenv("RECRUITING_SAMPLE_TOKEN", "geheim", 1);
    char const* const arguments[] = {"sample"};
    auto const code = reader.load(1, arguments);
    ::unsetenv("RECRUITING_SAMPLE_REDIS_URL");
    ::unsetenv("RECRUITING_SAMPLE_TOKEN");
    REQUIRE_FALSE(code);
    metrics::registry const registry;
    http::program_settings settings(9080);
    settings.effective = reader.effective();
    settings.connections = {.postgres = 17, .redis = 2};
    http::admin_handler handler(registry, settings, {});

    auto const answer = ask(handler, "/settings");
    REQUIRE(answer.status == 200);
    REQUIRE(answer.body.find("geheim") == std::string::npos);
    auto const whole = boost::json::parse(answer.body);
    CHECK(whole.at("connections") == boost::json::value{{"postgres", 17}, {"redis", 2}});
    auto const shown = whole.at("settings").as_array();
    REQUIRE(shown.size() == 3);
    CHECK(shown[0] == boost::json::value{
                          {"name", "RECRUITING_SAMPLE_NUMBER"}, {"value", "5"}, {"set", true}, {"origin", "default"}});
    CHECK(shown[1] == boost::json::value{{"name", "RECRUITING_SAMPLE_REDIS_URL"},
                                         {"value", "redis://***@h:6379/1"},
                                         {"set", true},
                                         {"origin", "environment"}});
    CHECK(shown[2] ==
          boost::json::value{
              {"name", "RECRUITING_SAMPLE_TOKEN"}, {"secret", true}, {"set", true}, {"origin", "environment"}});
}

} // namespace admin_test
