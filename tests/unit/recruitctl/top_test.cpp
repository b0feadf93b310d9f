// recruitctl top: figures from two scrapes, numbers in few columns, and the layout on any screen.
#include "recruitctl/top/figures.hpp"
#include "recruitctl/top/layout.hpp"
#include "recruitctl/top/styled.hpp"
#include "recruitctl/top/terminal.hpp"
#include "support/catch.hpp"

#include <cmath>
#include <limits>

namespace top_test {
using namespace recruiting::recruitctl;
using namespace recruiting::recruitctl::top;
using namespace std::chrono_literals;

namespace {

instance_scrape at(std::chrono::seconds when, std::string program, std::string const& metrics) {
    instance_scrape out;
    out.program = std::move(program);
    out.address = "127.0.0.1:9080";
    out.up = out.ready = true;
    auto parsed = scrape::parse(metrics);
    REQUIRE(parsed.problem.empty());
    out.metrics = std::move(parsed.what);
    out.at = std::chrono::steady_clock::time_point(when);
    return out;
}

bool is_near(std::optional<double> value, double wanted) { return value && std::abs(*value - wanted) < 1e-9; }

std::string const gateway_before = "recruiting_gateway_requests_total{route=\"/api/v1\",status=\"2xx\"} 100\n"
                                   "recruiting_gateway_requests_total{route=\"/api/v1\",status=\"5xx\"} 0\n"
                                   "recruiting_gateway_rate_limit_decisions_total{decision=\"rejected\"} 5\n"
                                   "recruiting_gateway_rate_limit_local_total 0\n"
                                   "recruiting_redis_connections 1\nprocess_cpu_seconds_total 1\n";
std::string const gateway_after =
    "recruiting_build_info{program=\"recruiting-gateway\",version=\"1.2\"} 1\n"
    "recruiting_gateway_requests_total{route=\"/api/v1\",status=\"2xx\"} 120\n"
    "recruiting_gateway_requests_total{route=\"/api/v1\",status=\"5xx\"} 4\n"
    "recruiting_gateway_requests_total{route=\"/careers\",status=\"2xx\"} 2\n" // it began between the two
    "recruiting_gateway_request_duration_seconds_bucket{route=\"/api/v1\",le=\"0.1\"} 10\n"
    "recruiting_gateway_request_duration_seconds_bucket{route=\"/api/v1\",le=\"+Inf\"} 10\n"
    "recruiting_gateway_rate_limit_decisions_total{decision=\"rejected\"} 9\n"
    "recruiting_gateway_rate_limit_decisions_total{decision=\"allowed\"} 900\n"
    "recruiting_gateway_rate_limit_local_total 0\n"
    "recruiting_gateway_upstream_up{upstream=\"auth-api\"} 1\n"
    "recruiting_gateway_upstream_requests_waiting{upstream=\"auth-api\"} 3\n"
    "recruiting_redis_connections 1\nprocess_cpu_seconds_total 2\nprocess_resident_memory_bytes 12300000\n";

instance_figures gateway_figures() {
    auto const before = at(10s, "gateway", gateway_before);
    return figures_of(&before, at(12s, "gateway", gateway_after));
}

std::vector<instance_figures> three() {
    auto const auth = at(1s, "auth-api", "recruiting_audit_unsealed_age_seconds 90\nrecruiting_mail_dead 1\n");
    instance_scrape away;
    away.program = "public-api";
    away.address = "127.0.0.1:9082";
    return {gateway_figures(), figures_of(nullptr, auth), figures_of(nullptr, away)};
}

} // namespace

TEST_CASE("rates by class and route, counters that went back began anew", "[top]") {
    auto const of = gateway_figures();
    CHECK(of.version == "1.2");
    CHECK(of.rate == 13);
    CHECK(of.by_class[2] == 11);
    CHECK(of.by_class[5] == 2);
    CHECK(of.rejected == 2);
    CHECK(of.local == 0);
    CHECK(of.cpu == 0.5);
    CHECK(of.memory == 12'300'000);
    REQUIRE(of.routes.size() == 2);
    CHECK(of.routes[0].errors == 2);
    CHECK(of.routes[1].rate == 1);
    CHECK(is_near(of.took.p50, 0.05));
    REQUIRE(of.upstreams.size() == 1);
    CHECK(of.upstreams[0].up);
    CHECK(of.upstreams[0].waiting == 3);
    auto const before =
        at(10s, "gateway", "recruiting_gateway_requests_total{route=\"/api/v1\",status=\"2xx\"} 1000\n");
    CHECK(figures_of(&before,
                     at(11s, "gateway", "recruiting_gateway_requests_total{route=\"/api/v1\",status=\"2xx\"} 7\n"))
              .rate == 7);
}

TEST_CASE("without a former look there are no rates, and of one that is away nothing", "[top]") {
    auto const first = figures_of(nullptr, at(1s, "gateway", gateway_after));
    CHECK_FALSE(first.rate);
    CHECK(first.routes.empty());
    CHECK(first.memory == 12'300'000);
    instance_scrape away;
    away.program = "gateway";
    auto const gone = figures_of(&away, away);
    CHECK(gone.state == "unavailable");
    CHECK_FALSE(gone.memory);
    CHECK_FALSE(figures_of(&away, at(1s, "gateway", gateway_after)).rate); // it was away before
}

TEST_CASE("quantiles", "[top]") {
    auto const inf = std::numeric_limits<double>::infinity();
    CHECK_FALSE(quantile({}, 0.5));
    CHECK_FALSE(quantile({{1, 0}, {inf, 0}}, 0.5));
    CHECK(is_near(quantile({{1, 10}, {2, 10}, {inf, 10}}, 0.5), 0.5));
    CHECK(is_near(quantile({{1, 0}, {2, 10}, {inf, 10}}, 0.95), 1.95));
    CHECK(is_near(quantile({{1, 5}, {2, 10}, {inf, 10}}, 0.5), 1));
    CHECK(*quantile({{1, 0}, {2, 0}, {inf, 10}}, 0.5) == 2); // beyond the last bound
}

TEST_CASE("the rate limit is shared while Redis answers", "[top]") {
    auto of = gateway_figures();
    CHECK(rate_limit_state({of}) == "shared");
    of.local = 1;
    CHECK(rate_limit_state({of}) == "local");
    of.local = 0;
    of.redis_connections = 0;
    CHECK(rate_limit_state({of}) == "local");
    of.up = false;
    CHECK(rate_limit_state({of}) == "unknown");
    CHECK(rate_limit_state({}) == "unknown");
}

TEST_CASE("numbers in few columns", "[top]") {
    CHECK(short_number({}) == "-");
    CHECK(short_number(0) == "0");
    CHECK(short_number(0.04) == "0.04");
    CHECK(short_number(1.25) == "1.2");
    CHECK(short_number(99.96) == "100");
    CHECK(short_number(12'345) == "12.3k");
    CHECK(short_number(999.6) == "1.0k");
    CHECK(short_number(-2) == "-2");
    CHECK(short_time(0.0004) == "0.4ms");
    CHECK(short_time(0.012) == "12ms");
    CHECK(short_time(1.24) == "1.2s");
    CHECK(short_time(90) == "90s");
    CHECK(short_time(180) == "3m");
    CHECK(short_time(7200) == "2h");
    CHECK(short_time(0) == "0s");
    CHECK(short_size(12'300'000) == "12.3M");
    CHECK(short_share(2.3) == "230%");
    CHECK(short_share(std::numeric_limits<double>::quiet_NaN()) == "-");
    CHECK(sparkline({0, 1, 2}, 2, false) == "=#");
    CHECK(sparkline({0, 0}, 9, true) == "▁▁");
    CHECK(sparkline({}, 9, true).empty());
}

TEST_CASE("no line is longer than the screen, and no more lines than it has", "[top]") {
    for (std::size_t columns = 1; columns < 160; columns += 3)
        for (std::size_t rows = 1; rows < 60; rows += 4)
            for (bool const help : {false, true}) {
                view as;
                as.columns = columns;
                as.rows = rows;
                as.help = help;
                as.scrolled = rows;
                auto const lines = lay_out(three(), {1, 2, 3}, as);
                CHECK(lines.size() == rows);
                for (auto const& one : lines) {
                    std::size_t width = 0;
                    for (auto const& part : one) width += width_of(part.text);
                    CHECK(width <= columns);
                }
            }
}

TEST_CASE("on 80 columns what matters most is there", "[top]") {
    view as;
    as.now = "14:02:11";
    as.interval = "2s";
    as.rows = 24;
    auto const text = to_text(lay_out(three(), {1, 13}, as));
    CAPTURE(text);
    for (auto const* const part :
         {"2 of 3 ready", "PROGRAM", "REQ/S", "P99", "MEM", "rate limit shared", "429 2/s", "auth-api up", "3 waiting",
          "audit lag 90s", "1 dead", "/careers", "q quit", "s sort: rate", "unavailable"})
        CHECK(text.find(part) != std::string::npos);
    CHECK(text.find("VERSION") == std::string::npos);
    as.columns = 140;
    CHECK(to_text(lay_out(three(), {}, as)).find("VERSION") != std::string::npos);
    as.rows = 0; // as text: no footer
    CHECK(to_text(lay_out(three(), {}, as)).find("q quit") == std::string::npos);
}

TEST_CASE("routes are sorted as asked, several instances together, and scrolled", "[top]") {
    instance_figures one;
    one.program = "auth-api";
    one.up = one.ready = true;
    one.rate = 3;
    one.routes = {{"auth-api", "/b", 2, 0, 0.1}, {"auth-api", "/a", 1, 1, 0.5}};
    view as;
    auto const order_of = [&](order by) {
        as.by = by;
        auto const text = to_text(lay_out({one, one}, {}, as));
        return text.find("/a") < text.find("/b");
    };
    CHECK_FALSE(order_of(order::rate));
    CHECK(order_of(order::errors));
    CHECK(order_of(order::p95));
    CHECK(order_of(order::name));
    CHECK(next(order::name) == order::rate);
    as.by = order::rate;
    CHECK(to_text(lay_out({one, one}, {}, as)).find("4") != std::string::npos); // 2 + 2
    as.rows = 15;
    as.scrolled = 1;
    CHECK(to_text(lay_out({one}, {}, as)).find("/b") == std::string::npos);
}

TEST_CASE("what other programs say drives no terminal", "[top]") {
    auto bad = gateway_figures();
    bad.version = "\x1b[2J";
    bad.routes.front().route = "/\x1b]0;x\x07";
    bad.upstreams.push_back({"\x1b[2J\xc2\x9b", true, 0, 0});
    view as;
    as.columns = 200;
    auto const text = to_text(lay_out({bad}, {}, as));
    CHECK(text.find('\x1b') == std::string::npos);
    CHECK(text.find("\xc2\x9b") == std::string::npos);
}

TEST_CASE("keys, as ncurses codes them", "[top]") {
    constexpr int no_key = -1;
    constexpr int key_down = 0402;
    constexpr int key_up = 0403;
    constexpr int key_page_up = 0523;
    constexpr int key_resize = 0632;
    CHECK(meaning_of(no_key) == key::none);
    CHECK(meaning_of('q') == key::quit);
    CHECK(meaning_of('\x03') == key::quit);
    CHECK(meaning_of(key_up) == key::up);
    CHECK(meaning_of(key_down) == key::down);
    CHECK(meaning_of(key_resize) == key::resized);
    CHECK(meaning_of('p') == key::pause);
    CHECK(meaning_of('s') == key::sort);
    CHECK(meaning_of('?') == key::help);
    CHECK(meaning_of(key_page_up) == key::other);
}

TEST_CASE("as JSON: what is not known is null", "[top]") {
    auto const json = to_json(three());
    CHECK(json.at("rateLimit") == "shared");
    CHECK(json.at("requestsPerSecond") == 13.0);
    auto const& instances = json.at("instances").as_array();
    CHECK(instances.at(0).at("requestsPerSecondByClass").at("5xx") == 2.0);
    CHECK(instances.at(1).at("requestsPerSecond").is_null());
    CHECK(instances.at(2).at("state") == "unavailable");
}

} // namespace top_test
