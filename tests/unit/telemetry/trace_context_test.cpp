// W3C Trace Context: what is read, what is made, what is sampled.
#include "support/catch.hpp"
#include "telemetry/trace_context.hpp"

namespace trace_context_test {
using namespace recruiting::tracing;

namespace {

std::string const good = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

std::string changed(std::size_t at, std::string const& with) {
    return std::string(good).replace(at, with.size(), with);
}

} // namespace

TEST_CASE("a traceparent of version 00", "[tracing]") {
    auto const read = parse_traceparent(good);
    REQUIRE(read);
    CHECK(std::string_view(trace_text(*read)) == "0af7651916cd43dd8448eb211c80319c");
    CHECK(read->sampled);
    CHECK_FALSE(parse_traceparent(changed(53, "00"))->sampled);
    CHECK(parse_traceparent(changed(53, "ff"))->sampled);       // flags that are not known mean nothing
    CHECK_FALSE(parse_traceparent(changed(53, "fe"))->sampled); // only the last bit does
    std::string again;
    append_traceparent(again, *read);
    CHECK(again == good);
}

TEST_CASE("a later version is read as far as 00 goes", "[tracing]") {
    CHECK(parse_traceparent(changed(0, "cc")));
    CHECK(parse_traceparent(changed(0, "cc") + "-what-the-future-will-be-like"));
    CHECK_FALSE(parse_traceparent(changed(0, "cc") + ".what-the-future-will-not-be-like"));
    CHECK_FALSE(parse_traceparent(changed(0, "ff")));
}

TEST_CASE("what is no traceparent", "[tracing]") {
    CHECK_FALSE(parse_traceparent(""));
    CHECK_FALSE(parse_traceparent(good + "-extra"));
    CHECK_FALSE(parse_traceparent(good + "."));
    CHECK_FALSE(parse_traceparent(good.substr(0, 54)));
    CHECK_FALSE(parse_traceparent("0" + good.substr(0, 54)));
    for (auto const& [at, with] : std::vector<std::pair<std::size_t, std::string>>{{0, ".0"},
                                                                                   {0, "0."},
                                                                                   {0, "0A"},
                                                                                   {2, "_"},
                                                                                   {3, std::string(32, '0')},
                                                                                   {3, "."},
                                                                                   {3, "A"},
                                                                                   {34, "."},
                                                                                   {35, "."},
                                                                                   {36, std::string(16, '0')},
                                                                                   {36, "."},
                                                                                   {51, "F"},
                                                                                   {52, "."},
                                                                                   {53, ".0"},
                                                                                   {53, "0."},
                                                                                   {54, "A"}}) {
        INFO(at << " " << with);
        CHECK_FALSE(parse_traceparent(changed(at, with)));
    }
}

TEST_CASE("members of a tracestate", "[tracing]") {
    CHECK(count_tracestate("foo=1,bar=2") == 2U);
    CHECK(count_tracestate(" foo=1 \t,\t bar=2 ") == 2U);
    CHECK(count_tracestate("") == 0U);
    CHECK(count_tracestate("foo=1,,bar=2,") == 2U);
    CHECK(count_tracestate("a-_*/0=" + std::string(256, 'v')) == 1U);
    CHECK(count_tracestate(std::string(256, 'z') + "=1") == 1U);
    CHECK(count_tracestate("0tenant@vendor=\x21 \x7e") == 1U);
    CHECK(count_tracestate(std::string(241, 't') + "@" + std::string(14, 'v') + "=1") == 1U);
    for (auto const& bad : std::vector<std::string>{"foo",
                                                    "foo=",
                                                    "=1",
                                                    "foo =1",
                                                    "foo=1=2",
                                                    "FOO=1",
                                                    "0foo=1",
                                                    "foo@=1",
                                                    "@foo=1",
                                                    "foo@@bar=1",
                                                    "foo@0bar=1",
                                                    "foo.bar=1",
                                                    "foo=\x7f",
                                                    "foo=a\tb",
                                                    "foo=\xc3\xa4",
                                                    std::string(257, 'z') + "=1",
                                                    "foo=" + std::string(257, 'v'),
                                                    std::string(242, 't') + "@v=1",
                                                    "t@" + std::string(15, 'v') + "=1",
                                                    "foo=1;bar=2,=",
                                                    "good=1,bad"}) {
        INFO(bad);
        CHECK_FALSE(count_tracestate(bad));
    }
}

TEST_CASE("new ids are not zero and differ", "[tracing]") {
    CHECK(new_trace_id() != new_trace_id());
    CHECK(new_span_id() != new_span_id());
    CHECK(new_trace_id() != trace_id{});
    CHECK(std::string_view(trace_text({})).empty());
}

TEST_CASE("a share of the traces is sampled, by their ids alone", "[tracing]") {
    trace_id lowest{};
    trace_id highest{};
    highest.fill(0xFF);
    CHECK_FALSE(ratio(0).takes(lowest));
    CHECK_FALSE(ratio(0).takes(highest));
    CHECK(ratio(1).takes(lowest));
    CHECK(ratio(1).takes(highest));
    CHECK(ratio(1e-16).takes(highest)); // 2^-56 is less
    CHECK_FALSE(ratio(0.5).takes(lowest));
    trace_id half{};
    half[9] = 0x80; // the first of the 56 random bits
    CHECK(ratio(0.5).takes(half));
    CHECK_FALSE(ratio(0.49).takes(half));
    half[8] = 0xFF; // not one of them
    CHECK_FALSE(ratio(0.49).takes(half));
}

TEST_CASE("what a smaller share samples, a greater one samples too", "[tracing]") {
    int taken = 0;
    for (int i = 0; i < 20'000; ++i) {
        auto const id = new_trace_id();
        if (ratio(0.1).takes(id)) {
            ++taken;
            CHECK(ratio(0.3).takes(id));
        }
    }
    CHECK(taken > 1'700); // 2000 expected; seven standard deviations
    CHECK(taken < 2'300);
}

} // namespace trace_context_test
