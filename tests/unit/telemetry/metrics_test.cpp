#include "core/commit.hpp"
#include "core/settings.hpp"
#include "support/catch.hpp"
#include "telemetry/metrics.hpp"

namespace metrics_test {
using namespace recruiting;

TEST_CASE("metrics of one name stand together under one head", "[telemetry]") {
    metrics::registry registry;
    registry.add_counter("a_total", "A.", "x=\"1\"").add(2);
    registry.add_gauge("b", "B.").set(-3);
    registry.add_counter("a_total", "A.", "x=\"2\"").add();
    registry.add_counter("a_total", "A.", "x=\"1\"").add();
    registry.add_histogram("c_seconds", "C.").observe(std::chrono::milliseconds{3});
    auto const text = registry.render();
    REQUIRE(text.find("# HELP a_total A.\n# TYPE a_total counter\na_total{x=\"1\"} 3\na_total{x=\"2\"} 1\n") !=
            std::string::npos);
    REQUIRE(text.find("b -3\n") != std::string::npos);
    REQUIRE(text.find("c_seconds_bucket{le=\"0.002\"} 0\nc_seconds_bucket{le=\"0.005\"} 1\n") != std::string::npos);
    REQUIRE(text.find("c_seconds_count 1\n") != std::string::npos);
}

TEST_CASE("a gauge that is forgotten has its head and no value, until it is set again", "[telemetry]") {
    metrics::registry registry;
    auto& age = registry.add_gauge("age_seconds", "A.");
    age.set(7);
    age.forget();
    REQUIRE(registry.render() == "# HELP age_seconds A.\n# TYPE age_seconds gauge\n");
    age.set(0);
    REQUIRE(registry.render().find("\nage_seconds 0\n") != std::string::npos);
}

TEST_CASE("a histogram may have other bounds, what is longer than all of them counts as +Inf", "[telemetry]") {
    metrics::registry registry;
    auto& runs = registry.add_histogram("run_seconds", "R.", "", metrics::slow_bounds);
    runs.observe(std::chrono::seconds{90});
    runs.observe(std::chrono::minutes{10});
    auto const text = registry.render();
    REQUIRE(text.find("run_seconds_bucket{le=\"60\"} 0\nrun_seconds_bucket{le=\"120\"} 1\n") != std::string::npos);
    REQUIRE(text.find("run_seconds_bucket{le=\"300\"} 1\nrun_seconds_bucket{le=\"+Inf\"} 2\n") != std::string::npos);
    REQUIRE(text.find("run_seconds_sum 690\n") != std::string::npos);
}

TEST_CASE("a reading is made anew for everyone who asks", "[telemetry]") {
    metrics::registry registry;
    double value = 0.5;
    registry.add_reading("r_seconds", "R.", "gauge", [&value] { return value; });
    REQUIRE(registry.render().find("\nr_seconds 0.5\n") != std::string::npos);
    value = 2;
    REQUIRE(registry.render().find("\nr_seconds 2\n") != std::string::npos);
}

TEST_CASE("a process' stat is read past a name with spaces and parentheses", "[telemetry]") {
    auto const usage =
        metrics::read_stat("4242 (a) b (c)) S 1 4242 4242 0 -1 4194304 1 2 3 4 250 150 7 8 20 0 9 0 1000 "
                           "8192000 500 18446744073709551615 1 1 0 0",
                           100, 4096);
    REQUIRE(usage.cpu_seconds == 4);
    REQUIRE(usage.threads == 9);
    REQUIRE(usage.started_after_boot_seconds == 10);
    REQUIRE(usage.virtual_bytes == 8'192'000);
    REQUIRE(usage.resident_bytes == 2'048'000);
}

TEST_CASE("a program tells its version and what its process uses", "[telemetry]") {
    metrics::registry registry;
    metrics::add_process_metrics(registry, "sample");
    auto const text = registry.render();
    REQUIRE(text.find("recruiting_build_info{program=\"sample\",version=\"" + std::string(version()) + "\",commit=\"" +
                      std::string(commit()) + "\"} 1\n") != std::string::npos);
    for (auto const* name : {"process_resident_memory_bytes", "process_open_fds", "process_max_fds", "process_threads",
                             "process_start_time_seconds"}) {
        auto const at = text.find("\n" + std::string(name) + " ");
        REQUIRE(at != std::string::npos);
        REQUIRE(std::stod(text.substr(at + std::string(name).size() + 2)) > 0);
    }
}

} // namespace metrics_test
