// Prometheus' text format, read strictly.
#include "recruitctl/scrape/exposition.hpp"
#include "support/catch.hpp"
#include "telemetry/metrics.hpp"

#include <cmath>

namespace exposition_test {
using namespace recruiting;
using namespace recruiting::recruitctl::scrape;

namespace {

exposition read(std::string_view text) {
    auto out = parse(text);
    CAPTURE(text, out.problem);
    REQUIRE(out.problem.empty());
    return out.what;
}

} // namespace

TEST_CASE("what our programs render is read", "[scrape]") {
    metrics::registry registry;
    registry.add_counter("made_total", "Made.", R"(route="/a",status="2xx")").add(3);
    registry.add_gauge("level", "A level.").set(-7);
    registry.add_histogram("took_seconds", "Time.", R"(route="/a")").observe(std::chrono::milliseconds{3});
    auto const found = read(registry.render());
    CHECK(found.types.at("made_total") == "counter");
    CHECK(found.types.at("took_seconds") == "histogram");
    CHECK(sum_of(found, "made_total") == 3);
    CHECK(sum_of(found, "level") == -7);
    CHECK(sum_of(found, "took_seconds_count") == 1);
    CHECK_FALSE(sum_of(found, "level_total"));
    for (auto const& one : found.samples) {
        CHECK(one.label("status") == (one.name == "made_total" ? "2xx" : ""));
        CHECK(one.label("other").empty());
    }
}

TEST_CASE("labels and numbers in all their spellings", "[scrape]") {
    auto const found = read("# a comment\n\n  a{ x = \"1\" , y=\"a\\\\b\\\"c\\nd\", } +1.5e3 1700000000000\n"
                            "b:c +Inf\nd -Inf\ne NaN\nf{} 0\n# HELP a \"{\n#TYPE a gauge\n");
    REQUIRE(found.samples.size() == 5);
    CHECK(found.samples[0].label("x") == "1");
    CHECK(found.samples[0].label("y") == "a\\b\"c\nd");
    CHECK(found.samples[0].value == 1500);
    CHECK(std::isinf(found.samples[1].value));
    CHECK(found.samples[2].value < 0);
    CHECK(std::isnan(found.samples[3].value));
    CHECK(found.types.at("a") == "gauge");
    CHECK(read("").samples.empty());
}

TEST_CASE("what is not the format is refused, with the line", "[scrape]") {
    for (auto const* const wrong : {"a 1",
                                    "1a 1\n",
                                    "a\n",
                                    "a one\n",
                                    "a 1 x\n",
                                    "a inf\n",
                                    "a nan\n",
                                    "a 0x10\n",
                                    "a 1e999\n",
                                    "a{x=\"1\" 1\n",
                                    "a{x=1} 1\n",
                                    "a{=\"1\"} 1\n",
                                    "a{x=\"1\\t\"} 1\n",
                                    "a{x=\"1\"y=\"2\"} 1\n",
                                    "a{x=\"1\",x=\"2\"} 1\n",
                                    "a{x} 1\n",
                                    "a{x=\"1\n\"} 1\n",
                                    "a{,} 1\n",
                                    "a{x=\"\\",
                                    "# TYPE a thing\n",
                                    "# TYPE a gauge\n# TYPE a gauge\n",
                                    "<html>\n",
                                    "{\"a\":1}\n",
                                    "a \xff\n",
                                    "a{x=\"1\"}\n",
                                    "a - 1\n",
                                    "a 1 2 3\n"}) {
        CAPTURE(wrong);
        CHECK_FALSE(parse(wrong).problem.empty());
    }
    CHECK(parse("a 1\nb\n").problem.starts_with("line 2: "));
}

TEST_CASE("a prefix of what is right never crashes, and never reads more samples", "[scrape]") {
    std::string const whole = "# TYPE a counter\na{x=\"1\\\"\",y=\"\\n\"} 1.25 12\nb 2\nc{} +Inf\n";
    for (std::size_t size = 0; size <= whole.size(); ++size) {
        auto const part = parse(whole.substr(0, size));
        CHECK(part.what.samples.size() <= 3);
        for (char const strange : {'\0', '{', '"', '\\', '\n', '\x80'}) {
            auto changed = whole;
            if (size < changed.size()) changed[size] = strange;
            CHECK(parse(changed).what.samples.size() <= 4);
        }
    }
}

TEST_CASE("there is an end to how much is read", "[scrape]") {
    std::string text;
    for (std::size_t i = 0; i <= most_samples; ++i) text += "a 1\n";
    auto const found = parse(text);
    CHECK(found.what.samples.size() == most_samples);
    CHECK(found.problem.ends_with("too many samples"));
}

} // namespace exposition_test
