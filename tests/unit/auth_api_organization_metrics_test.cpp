#include "auth_api/organization_metrics.hpp"
#include "support/catch.hpp"

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

TEST_CASE("the organizations' label has a bounded number of values in a process; the rest counts as other",
          "[metrics]") {
    metrics::registry registry;
    organization_labels labels;
    organization_metrics first(registry, labels, 2);
    organization_metrics second(registry, labels, 2);
    for (unsigned char number = 1; number <= 9; ++number) {
        first.count_request(numbered(number), 200);
        second.count_request(numbered(number), number == 1 ? 429U : 403U);
    }
    first.count_reads(numbered(1), 1500ms);
    second.count_reads(numbered(1), 500ms);
    second.count_reads(numbered(9), 250ms);
    auto const text = registry.render();
    auto const one = to_string(numbered(1));
    auto const has = [&](std::string const& line) { return text.find(line) != text.npos; };
    CHECK(has(sample("requests_total", one, "2")));
    CHECK(has(sample("requests_total", to_string(numbered(2)), "2")));
    CHECK(has(sample("requests_total", "other", "14")));
    CHECK(has(sample("requests_refused_total", one, "1")));
    CHECK(has(sample("requests_refused_total", "other", "7")));
    CHECK(has(sample("read_seconds_sum", one, "2")));
    CHECK(has(sample("read_seconds_sum", "other", "0.25")));
    CHECK_FALSE(has(to_string(numbered(3))));
}

TEST_CASE("no organization is named unless a number of them is set", "[metrics]") {
    metrics::registry registry;
    organization_labels labels;
    organization_metrics off(registry, labels, 0);
    off.count_request(numbered(1), 200);
    off.count_request(numbered(2), 401);
    off.count_reads(numbered(1), 1s);
    auto const text = registry.render();
    CHECK(text.find(sample("requests_total", "other", "2")) != text.npos);
    CHECK(text.find(sample("requests_refused_total", "other", "1")) != text.npos);
    CHECK(text.find(sample("read_seconds_sum", "other", "1")) != text.npos);
    CHECK(text.find(to_string(numbered(1))) == text.npos);
}
