// What a service gets of a request and a client of an answer, and the edge's own answers.
#include "gateway/answers/answer.hpp"
#include "gateway/forwarded_head.hpp"
#include "gateway/phases.hpp"
#include "gateway/settings.hpp"
#include "http/message_parser.hpp"
#include "support/catch.hpp"

namespace rewrite_test {
using namespace recruiting;
using namespace recruiting::gateway;
using namespace recruiting::http;

namespace {

client_request x;
std::string const told_trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

std::string sent_up(std::string const& line, std::string const& fields) {
    x.reset();
    x.head_text = line + "\r\nHost: api.example:8443\r\n" + fields + "\r\n";
    REQUIRE_FALSE(read_request(x));
    x.client = *parse_ip("203.0.113.7");
    x.request_id = "request-1";
    x.trace = x.call = *tracing::parse_traceparent(told_trace);
    std::string out;
    append_request_head(out, x, "127.0.0.1:8081");
    return out;
}

std::string sent_down(std::string const& answer_text) {
    static std::string text;
    text = answer_text;
    response_head answer;
    response_parser parser(x.is_head());
    REQUIRE_FALSE(parser.parse_head(text, answer));
    static_cast<void>(read_connection(answer.fields));
    std::string out;
    append_response_head(out, answer, choose_downstream(x, answer.body), x);
    return out;
}

bool holds(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

} // namespace

TEST_CASE("a request on its way to a service", "[gateway][rewrite]") {
    auto const out = sent_up(
        "POST /api/x/../v1/./me?x=1 HTTP/1.1",
        "Authorization: Bearer k\r\nCookie: c=1\r\nX-Own:   kept \r\nConnection: keep-alive, X-Hop\r\nX-Hop: "
        "1\r\nKeep-Alive: 5\r\n"
        "TE: trailers\r\nTrailer: a\r\nProxy-Authorization: p\r\nForwarded: for=1.1.1.1\r\nX-Forwarded-For: 1.1.1.1\r\n"
        "X-Forwarded-Host: evil\r\nX-Forwarded-Port: 1\r\nX-Real-IP: 1.1.1.1\r\nX-Request-Id: "
        "request-9\r\nContent-Length: 3\r\n");
    CHECK(out == "POST /api/v1/me?x=1 HTTP/1.1\r\nHost: api.example:8443\r\nAuthorization: Bearer k\r\nCookie: "
                 "c=1\r\nX-Own:   kept \r\n"
                 "X-Forwarded-For: 203.0.113.7\r\nX-Forwarded-Proto: http\r\nX-Forwarded-Host: "
                 "api.example:8443\r\nForwarded: for=203.0.113.7;host=\"api.example:8443\";proto=http\r\n"
                 "X-Request-Id: request-1\r\ntraceparent: " +
                     told_trace +
                     "\r\nVia: 1.1 recruiting-gateway\r\n"
                     "Content-Length: 3\r\n\r\n");
}

TEST_CASE("Authorization and Cookie never go to the public API", "[gateway][rewrite]") {
    auto const out =
        sent_up("GET /api/public/v1/jobs HTTP/1.1", "Authorization: Basic YTpi\r\nCookie: c=1\r\nAccept: */*\r\n");
    CHECK_FALSE(holds(out, "Authorization"));
    CHECK_FALSE(holds(out, "Cookie"));
    CHECK(holds(out, "Accept: */*\r\n"));
}

TEST_CASE("Forwarded quotes an IPv6 client", "[gateway][rewrite]") {
    static_cast<void>(sent_up("GET /api/v1/x HTTP/1.1", ""));
    x.client = *parse_ip("2001:db8::1");
    x.https = true;
    std::string out;
    append_request_head(out, x, "");
    CHECK(holds(out, "X-Forwarded-For: 2001:db8::1\r\n"));
    CHECK(holds(out, "Forwarded: for=\"[2001:db8::1]\";host=\"api.example:8443\";proto=https\r\n"));
}

TEST_CASE("a tracestate goes with a believed traceparent only, and whole or not at all", "[gateway][rewrite]") {
    auto const told = [](std::string const& fields, bool believed) {
        static_cast<void>(sent_up("GET /api/v1/x HTTP/1.1", fields));
        if (believed) x.caller = x.call;
        std::string out;
        append_request_head(out, x, "");
        return out;
    };
    std::string const good = "tracestate: a=1\r\ntracestate: b=2\r\n";
    CHECK_FALSE(holds(told(good, false), "tracestate"));
    CHECK(holds(told(good, true), "traceparent: " + told_trace + "\r\n" + good));
    CHECK_FALSE(holds(told(good + "tracestate: C=3\r\n", true), "tracestate"));
    std::string many = "tracestate: k0=1";
    for (int i = 1; i < 32; ++i) many += ",k" + std::to_string(i) + "=1";
    CHECK(holds(told(many + "\r\n", true), many));
    CHECK_FALSE(holds(told(many + ",k=1\r\n", true), "tracestate"));
}

TEST_CASE("chunked requests stay chunked, HTTP/1.0 becomes HTTP/1.1", "[gateway][rewrite]") {
    CHECK(holds(sent_up("POST /api/v1/x HTTP/1.1", "Transfer-Encoding: chunked\r\nExpect: 100-continue\r\n"),
                "\r\nTransfer-Encoding: chunked\r\n\r\n"));
    CHECK(x.expects_continue);
    CHECK(holds(sent_up("GET /api/v1/x HTTP/1.0", ""), "GET /api/v1/x HTTP/1.1\r\n"));
    CHECK_FALSE(holds(sent_up("POST /api/v1/x HTTP/1.1", "Content-Length: 0\r\n"), "Transfer-Encoding"));
}

TEST_CASE("an answer on its way to the client", "[gateway][rewrite]") {
    static_cast<void>(sent_up("GET /api/v1/x HTTP/1.1", ""));
    x.count = decision{true, 600, 599, 42};
    CHECK(sent_down("HTTP/1.1 200 OK\r\nDate: now\r\nContent-Type: a/b\r\nContent-Length: 5\r\nConnection: close, "
                    "X-Hop\r\nX-Hop: 1\r\n"
                    "RateLimit: theirs\r\nX-Request-Id: theirs\r\n\r\n") ==
          "HTTP/1.1 200 OK\r\nDate: now\r\nContent-Type: a/b\r\nRateLimit: theirs\r\nContent-Length: 5\r\n"
          "RateLimit-Policy: \"ip\";q=600;w=60\r\nRateLimit: \"ip\";r=599;t=42\r\n"
          "X-Content-Type-Options: nosniff\r\nX-Request-Id: request-1\r\n\r\n");
    CHECK(holds(sent_down("HTTP/1.1 200 OK\r\nx-content-type-options: nosniff\r\nContent-Length: 0\r\n\r\n"),
                "OK\r\nDate: "));
    x.count = decision{true, 600, 0, 2, 10, true, true}; // a shadow rate limit tells nothing
    CHECK(holds(sent_down("HTTP/1.1 200 OK\r\nRateLimit: theirs\r\n\r\n"), "OK\r\nRateLimit: theirs\r\n"));
    x.count = decision{true, 600, 599, 2, 10};
    CHECK(holds(sent_down("HTTP/1.1 200 OK\r\n\r\n"), "RateLimit-Policy: \"ip\";q=600;w=10\r\n"));
    x.count.reset();
    CHECK(holds(sent_down("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"), "Transfer-Encoding: chunked\r\n"));
    CHECK(holds(sent_down("HTTP/1.0 200 OK\r\n\r\n"), "Transfer-Encoding: chunked\r\n"));
    CHECK(holds(sent_down("HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n"), "Content-Length: 9\r\n"));
    CHECK_FALSE(holds(sent_down("HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n"), "Content-Length"));
    CHECK_FALSE(holds(sent_down("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n"), "RateLimit"));
    static_cast<void>(sent_up("GET /api/v1/x HTTP/1.0", "Connection: keep-alive\r\n"));
    auto const old = sent_down("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    CHECK_FALSE(holds(old, "Transfer-Encoding"));
    CHECK(holds(old, "Connection: keep-alive\r\n"));
}

TEST_CASE("the edge's own answers", "[gateway][answer]") {
    static_cast<void>(sent_up("GET /api/public/v1/x HTTP/1.1", "Accept: application/problem+json\r\n"));
    x.count = decision{false, 600, 0, 17};
    std::string out;
    append_answer(out, over_limit(*x.count), x);
    CHECK(holds(out, "HTTP/1.1 429 Too Many Requests\r\n"));
    CHECK(holds(out, "Content-Type: application/problem+json\r\n"));
    CHECK(holds(out, "Retry-After: 17\r\n"));
    CHECK(holds(out, "RateLimit: \"ip\";r=0;t=17\r\n"));
    CHECK(holds(out, "Access-Control-Allow-Origin: *\r\n"));
    CHECK(holds(out, "X-Request-Id: request-1\r\n"));
    CHECK(holds(out, "\"requestId\":\"request-1\""));
    CHECK(holds(out, "\"reason\":\"gateway\""));
    CHECK(holds(out, "X-Content-Type-Options: nosniff\r\n"));
    CHECK(x.status == 429);

    static_cast<void>(sent_up("HEAD /api/v1/x HTTP/1.1", ""));
    out.clear();
    append_answer(out, make_error(error_code::not_found), x);
    CHECK(out.ends_with("\r\n\r\n"));
    CHECK_FALSE(holds(out, "Access-Control"));
    CHECK(looks_public("GET /api/public/v1/jobs"));
    CHECK_FALSE(looks_public("GET /api/v1/jobs"));
    CHECK_FALSE(looks_public("GET"));
    auto moved = default_routes;
    moved[1].prefix = "/open";
    CHECK(looks_public("GET /open/jobs", moved));
    CHECK_FALSE(looks_public("GET /api/public/v1/jobs", moved));
}

TEST_CASE("people are answered in words, on pages and where nothing is", "[gateway][rewrite]") {
    std::string const browser = "Accept: text/html,application/xhtml+xml,*/*;q=0.8\r\n";
    auto const refused = [](std::string const& line, std::string const& fields, error_code code) {
        static_cast<void>(sent_up(line + " HTTP/1.1", fields));
        std::string out;
        append_answer(out, make_error(code), x);
        return out;
    };
    for (std::string const line : {"GET /careers/acme", "POST /interviews/tok3n/cancel"}) {
        INFO(line);
        auto const page = refused(line, browser, error_code::service_unavailable);
        CHECK(holds(page, "Content-Type: text/html; charset=utf-8\r\n"));
        CHECK(holds(page, "Content-Security-Policy: default-src 'none'; style-src 'sha256-"));
        CHECK(holds(page, "Try again in 1 s."));
        CHECK(holds(page, "Request request-1<"));
        CHECK_FALSE(holds(page, "Access-Control"));
        CHECK(holds(refused(line, "Accept: */*\r\n", error_code::not_found), "{\"error\":{"));
    }
    x.reset();
    x.head_text = "GET / HTTP/1.1\r\nHost: a.example\r\n" + browser + "\r\n";
    REQUIRE_FALSE(read_request(x));
    std::string out;
    append_answer(out, make_error(error_code::not_found), x);
    CHECK(holds(out, "text/html"));
    for (std::string const line : {"GET /api/v1/me", "GET /api/public/v1/jobs"})
        CHECK(holds(refused(line, browser, error_code::not_found), "application/json"));
    auto const hurried = [&](std::string const& fields) {
        auto over = make_error(error_code::rate_limited);
        over.retry_after_seconds = 9;
        static_cast<void>(sent_up("GET /careers/acme HTTP/1.1", fields));
        std::string answer;
        append_answer(answer, over, x);
        return answer;
    };
    CHECK(holds(hurried(browser), "<p>Too many requests. Try again in 9 s."));
    CHECK(holds(hurried(""), "{\"error\":{"));
}

TEST_CASE("the access log names what happened, without queries", "[gateway][log]") {
    static_cast<void>(
        sent_up("GET /api/v1/me?key=secret HTTP/1.1", "Authorization: Bearer hidden\r\nCookie: c=hidden\r\n"));
    x.count = decision{true, 600, 599, 42};
    x.status = 200;
    x.sent = 12;
    std::string line;
    append_access_line(line, x, *parse_time("2026-01-31T09:30:00Z"), std::chrono::microseconds{345});
    CHECK(
        line ==
        "{\"time\":\"2026-01-31T09:30:00.000Z\",\"level\":\"info\",\"program\":\"gateway\","
        "\"event\":\"request\",\"requestId\":\"request-1\","
        "\"traceId\":\"0af7651916cd43dd8448eb211c80319c\",\"method\":\"GET\",\"route\":\"/api/v1\",\"path\":\"/api/v1/"
        "me\",\"status\":200,\"client\":\"203.0.113.7\","
        "\"rateLimit\":\"allowed\",\"remaining\":599,\"durationUs\":345,\"bytesIn\":0,\"bytesOut\":12}\n");
}

TEST_CASE("settings of the gateway", "[gateway][settings]") {
    gateway_settings settings;
    settings_reader reader("recruiting-gateway", "", "RECRUITING_GATEWAY_");
    declare_settings(reader, settings);
    CHECK(reader
              .apply({{"RECRUITING_GATEWAY_RATE_LIMIT", "5"},
                      {"RECRUITING_GATEWAY_TRUSTED_PROXIES", "10.0.0.0/8, ::1"},
                      {"RECRUITING_REDIS_URL", "redis://:pw@redis:6380/2"},
                      {"RECRUITING_GATEWAY_AUTH_API", "unix:/run/auth.sock"}})
              .empty());
    CHECK(settings.limits.limits[0] == 5);
    CHECK(settings.trusted_proxies.size() == 2);
    CHECK(settings.limits.redis.database == 2);
    CHECK(reader
              .apply({{"RECRUITING_GATEWAY_TRUSTED_PROXIES", "10.0.0.0/99"},
                      {"RECRUITING_REDIS_URL", "http://x"},
                      {"RECRUITING_GATEWAY_RATE_LIMIT", "0"},
                      {"RECRUITING_GATEWAY_IPV6_PREFIX", "8"},
                      {"RECRUITING_GATEWAY_TYPO", "1"}})
              .size() == 5);
    CHECK_FALSE(reader.help().empty());
}

TEST_CASE("pages, windows and the mode are settings", "[gateway][settings]") {
    gateway_settings settings;
    settings_reader reader("recruiting-gateway", "", "RECRUITING_GATEWAY_");
    declare_settings(reader, settings);
    CHECK(
        reader.apply({{"RECRUITING_GATEWAY_WINDOW", "10"}, {"RECRUITING_GATEWAY_RATE_LIMIT_MODE", "shadow"}}).empty());
    CHECK(settings.limits.window_seconds == 10);
    CHECK(settings.limits.shadow());
    CHECK(find_route("/widget/v1.js", settings.routes)->for_people);
    CHECK(find_route("/docs/", settings.routes)->is_documents);
    CHECK(reader.apply({{"RECRUITING_GATEWAY_PAGES", "/interviews, /people"}}).empty());
    CHECK(find_route("/people/acme", settings.routes)->to == service::public_api);
    CHECK(find_route("/careers/acme", settings.routes) == nullptr);
    CHECK(find_route("/docs/", settings.routes) == nullptr);
    CHECK(reader.apply({{"RECRUITING_GATEWAY_PAGES", "careers"}}).size() == 1);
    CHECK(reader.apply({{"RECRUITING_GATEWAY_PAGES", ""}}).empty());
    CHECK(settings.routes.size() == service_count);
    for (std::string const page : {"/", "hr", "/hr/", "/a//b", "/a/../b", "/%61", "/a?b"}) {
        INFO(page);
        CHECK(reader.apply({{"RECRUITING_GATEWAY_PAGES", page}}).size() == 1);
    }
}

} // namespace rewrite_test
