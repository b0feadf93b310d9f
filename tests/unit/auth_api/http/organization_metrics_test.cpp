#include "auth_api/http/organization_metrics.hpp"
#include "support/catch.hpp"

namespace organization_metrics_test {
using namespace recruiting;
using namespace recruiting::auth_api;
using namespace std::chrono_literals;

namespace {

uuid numbered(unsigned char number) {
    uuid id{};
    id.bytes.back() = static_cast<decltype(id.bytes)::value_type>(number);
    return id;
}

std::string sample(std::string const& name, std::string const& organization, std::string const& value) {
    return "\nrecruiting_auth_api_organization_" + name + "{organization=\"" + organization + "\"} " + value + "\n";
}

} // namespace

TEST_CASE("the metrics name the organizations that cost most, however late they came, and a bounded number of them",
          "[metrics]") {
    metrics::registry registry;
    auto const totals = std::make_shared<organization_totals>();
    organization_metrics first(registry, *totals, 2);
    organization_metrics second(registry, *totals, 2);
    for (unsigned char number = 1; number <= 9; ++number) {
        first.count_request(numbered(number), 200);
        second.count_request(numbered(number), number == 9 ? 429U : 200U);
    }
    first.count_reads(numbered(1), 250ms);
    first.count_reads(numbered(9), 1500ms);
    second.count_reads(numbered(9), 500ms);
    auto const text = registry.render();
    auto const has = [&](std::string const& line) { return text.find(line) != text.npos; };
    auto const last = to_string(numbered(9));
    CHECK(has(sample("requests_total", last, "2")));
    CHECK(has(sample("requests_rejected_total", last, "1")));
    CHECK(has(sample("read_seconds_total", last, "2")));
    CHECK(has(sample("read_seconds_total", to_string(numbered(1)), "0.25")));
    CHECK(has(sample("requests_total", "all", "18")));
    CHECK(has(sample("requests_rejected_total", "all", "1")));
    CHECK(has(sample("read_seconds_total", "all", "2.25")));
    for (unsigned char number = 2; number <= 8; ++number) CHECK_FALSE(has(to_string(numbered(number))));

    for (int i = 0; i < 123'456; ++i) first.count_request(numbered(5), 401); // a flood that reads nothing costs, too
    CHECK(registry.render().find(sample("requests_rejected_total", to_string(numbered(5)), "123456")) != text.npos);
}

TEST_CASE("an organization that begins to cost much takes the place of one that did long ago", "[metrics]") {
    organization_totals totals;
    auto const start = std::chrono::steady_clock::now();
    auto const costliest = [&](std::chrono::hours later) { return totals.costliest(1, start + later).at(0).first; };
    totals.of(numbered(1)).read_nanoseconds = 1'000'000'000'000;
    CHECK(costliest(0h) == numbered(1));
    totals.of(numbered(2)).read_nanoseconds = 10'000'000'000;
    CHECK(costliest(1h) == numbered(1));
    totals.of(numbered(2)).read_nanoseconds += 10'000'000'000;
    CHECK(costliest(8h) == numbered(2));
}

TEST_CASE("no organization is named unless a number of them is set", "[metrics]") {
    metrics::registry registry;
    auto const totals = std::make_shared<organization_totals>();
    organization_metrics off(registry, *totals, 0);
    off.count_request(numbered(1), 200);
    off.count_request(numbered(2), 401);
    off.count_reads(numbered(1), 1s);
    auto const text = registry.render();
    CHECK(text.find(sample("requests_total", "all", "2")) != text.npos);
    CHECK(text.find(sample("requests_rejected_total", "all", "1")) != text.npos);
    CHECK(text.find(sample("read_seconds_total", "all", "1")) != text.npos);
    CHECK(text.find(to_string(numbered(1))) == text.npos);
}

} // namespace organization_metrics_test
