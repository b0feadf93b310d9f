// Spans on their way to a collector: the JSON, what an answer means, the settings.
#include "support/catch.hpp"
#include "tracing/delivery.hpp"
#include "tracing/exporter.hpp"
#include "tracing/otlp_json.hpp"

#include <chrono>
#include <fstream>

namespace export_test {
using namespace recruiting;
using namespace recruiting::tracing;
using namespace std::chrono_literals;

namespace {

std::unique_ptr<span_data> sample_span() {
    auto one = std::make_unique<span_data>();
    one->own = *parse_traceparent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
    one->name = "GET /api/v1";
    one->kind = span_kind::server;
    one->start = 1'700'000'000'123'456'789ns;
    one->end = 1'700'000'000'123'556'789ns;
    return one;
}

delivery after(transfer::http_result const& got, unsigned attempts = 1) { return classify_delivery(got, 10, attempts); }

transfer::http_result status(unsigned code, std::string body = {}, std::optional<std::chrono::seconds> pause = {}) {
    return transfer::http_answer{code, "application/json", pause, std::move(body)};
}

std::vector<std::string> problems_of(std::map<std::string, std::string> const& values, trace_settings& out) {
    settings_reader reader("program", "", "RECRUITING_PROGRAM_");
    declare(reader, out);
    return reader.apply(values);
}

} // namespace

TEST_CASE("a span in OTLP's JSON", "[tracing]") {
    span_list spans;
    spans.push_back(sample_span());
    CHECK(
        export_request({{{"service.name", "recruiting-test"}}, "1.2.3"}, spans) ==
        R"({"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"recruiting-test"}}]},)"
        R"("scopeSpans":[{"scope":{"name":"recruiting","version":"1.2.3"},"spans":[)"
        R"({"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"b7ad6b7169203331","flags":257,"name":"GET /api/v1",)"
        R"("kind":2,"startTimeUnixNano":"1700000000123456789","endTimeUnixNano":"1700000000123556789",)"
        R"("attributes":[],"status":{}}]}]}]})");
}

TEST_CASE("a span with all it can have", "[tracing]") {
    auto one = sample_span();
    one->parent = one->own.span;
    one->parent_remote = true;
    one->failed = true;
    one->attributes = {{"a", std::string("x\"\n\xff")}, {"b", std::int64_t{-9'007'199'254'740'993}}, {"c", true}};
    span_list spans;
    spans.push_back(std::move(one));
    auto const text = export_request({}, spans);
    auto const holds = [&text](std::string_view part) { return text.find(part) != std::string::npos; };
    CHECK(holds(R"("spanId":"b7ad6b7169203331","parentSpanId":"b7ad6b7169203331","flags":769,)"));
    CHECK(holds(R"("attributes":[{"key":"a","value":{"stringValue":"x\"??"}},)"
                R"({"key":"b","value":{"intValue":"-9007199254740993"}},{"key":"c","value":{"boolValue":true}}],)"
                R"("status":{"code":2}})"));
}

TEST_CASE("a secret that got into a span does not leave in it", "[tracing]") {
    auto one = sample_span();
    one->name = "GET /sp_live_abcdefghijklmnop";
    one->attributes = {{"a", std::string("sp_test_abcdefghijklmnop")}};
    span_list spans;
    spans.push_back(std::move(one));
    CHECK(export_request({}, spans).find("abcdefghijklmnop") == std::string::npos);
}

TEST_CASE("what a collector's answer means", "[tracing]") {
    using kind = delivery::kind;
    CHECK(after(status(200, "{}")).what == kind::accepted);
    CHECK(after(status(200, "no JSON at all")).rejected == 0);
    CHECK(after(status(200, R"({"partialSuccess":{"rejectedSpans":"3","errorMessage":"x"}})")).rejected == 3);
    CHECK(after(status(200, R"({"partialSuccess":{"rejectedSpans":4}})")).rejected == 4);
    CHECK(after(status(200, R"({"partialSuccess":{"rejectedSpans":"99999"}})")).rejected == 10); // it lies
    CHECK(after(status(200, R"({"partialSuccess":{"rejectedSpans":-1}})")).rejected == 0);
    CHECK(after(status(200, R"({"partialSuccess":[]})")).rejected == 0);
    for (unsigned const code : {429U, 502U, 503U, 504U}) CHECK(after(status(code)).what == kind::again);
    for (unsigned const code : {301U, 400U, 401U, 404U, 413U, 500U, 501U})
        CHECK(after(status(code)).what == kind::refused);
    using failure = transfer::http_failure;
    CHECK(after(failure{failure::kind::connect_failed}).what == kind::again);
    CHECK(after(failure{failure::kind::timed_out}).what == kind::again);
    CHECK(after(failure{failure::kind::lost}).what == kind::again);
    CHECK(after(failure{failure::kind::too_large}).what == kind::refused);
    CHECK(after(status(503), most_attempts).what == kind::refused);
}

TEST_CASE("a batch waits as long as the collector asks for, within bounds", "[tracing]") {
    CHECK(after(status(503)).pause == usual_pause);
    CHECK(after(status(429, "", 7s)).pause == 7s);
    CHECK(after(status(429, "", 3600s)).pause == longest_pause);
    CHECK(after(transfer::http_failure{transfer::http_failure::kind::lost}).pause == usual_pause);
}

TEST_CASE("settings of tracing", "[tracing][settings]") {
    trace_settings out;
    CHECK(problems_of({{"RECRUITING_TRACE_ENDPOINT", "https://collector.example:4318/otlp/"},
                       {"RECRUITING_TRACE_SAMPLE", "0.25"},
                       {"RECRUITING_TRACE_ATTRIBUTES", "deployment.environment.name=prod,host.name=a%2Cb"}},
                      out)
              .empty());
    CHECK(out.endpoint == "https://collector.example:4318/otlp/");
    CHECK(out.share == 0.25);
    CHECK(out.attributes == std::vector<std::pair<std::string, std::string>>{{"deployment.environment.name", "prod"},
                                                                             {"host.name", "a,b"}});
    for (auto const& [name, value] :
         std::map<std::string, std::string>{{"RECRUITING_TRACE_ENDPOINT", "127.0.0.1:4318"},
                                            {"RECRUITING_TRACE_SAMPLE", "1.1"},
                                            {"RECRUITING_TRACE_ATTRIBUTES", "novalue"},
                                            {"RECRUITING_TRACE_HEADERS_FILE", "/no/such/file"},
                                            {"RECRUITING_TRACE_CA_FILE", "/no/such/file"},
                                            {"RECRUITING_TRACE_MISTYPED", "1"}}) {
        INFO(name);
        CHECK(problems_of({{name, value}}, out).size() == 1);
    }
    for (auto const* value : {"-0.1", "nan", "inf", "", "1e", "0,5"})
        CHECK(problems_of({{"RECRUITING_TRACE_SAMPLE", value}}, out).size() == 1);
    for (auto const* value : {"http://user:secret@collector", "ftp://collector", "http://a\nb"})
        CHECK(problems_of({{"RECRUITING_TRACE_ENDPOINT", value}}, out).size() == 1);
}

TEST_CASE("header fields for a collector", "[tracing][settings]") {
    CHECK(*parse_trace_headers("# a token\r\n\nX-Api-Key:  secret \nAuthorization: Bearer a:b\n") ==
          std::vector<std::string>{"X-Api-Key: secret", "Authorization: Bearer a:b"});
    CHECK(parse_trace_headers("")->empty());
    for (auto const* bad : {"novalue", ": x", "A B: x", "A:", "A: \x01"}) CHECK_FALSE(parse_trace_headers(bad));
}

} // namespace export_test
