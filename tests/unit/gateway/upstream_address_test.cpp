// The list of a service's addresses, and of where they tell their health.
#include "gateway/settings.hpp"
#include "gateway/upstream/pool.hpp"
#include "support/catch.hpp"

namespace upstream_address_test {
using namespace recruiting;
using namespace recruiting::gateway;

namespace {

std::vector<std::string> apply(gateway_settings& out, std::map<std::string, std::string> const& values) {
    settings_reader reader("recruiting-gateway", "", "RECRUITING_GATEWAY_");
    declare_settings(reader, out);
    return reader.apply(values);
}

constexpr auto name = "RECRUITING_GATEWAY_AUTH_API";
constexpr auto health = "RECRUITING_GATEWAY_AUTH_API_HEALTH";

} // namespace

TEST_CASE("a service's addresses are read from one list", "[gateway][upstream]") {
    gateway_settings s;
    CHECK(s.upstreams[0] == s.at(8081));
    REQUIRE(apply(s, {{name, "10.0.0.1:8081, [2001:db8::1]:8082,auth.internal:80,unix:/run/auth.sock"}}).empty());
    auto const& list = s.upstreams[0];
    REQUIRE(list.size() == 4);
    CHECK(list[0].where == endpoint{"10.0.0.1", 8081, {}});
    CHECK(list[1].where == endpoint{"2001:db8::1", 8082, {}});
    CHECK_FALSE(literal_address(list[2].where));
    CHECK(literal_address(list[1].where));
    CHECK(list[3].where.unix_path == "/run/auth.sock");
    CHECK(to_string(list) == "10.0.0.1:8081,[2001:db8::1]:8082,auth.internal:80,unix:/run/auth.sock");
    for (std::string const bad : {"", "10.0.0.1", "10.0.0.1:8081,", "a:1,b", "unix:", "a:x"}) {
        INFO(bad);
        CHECK(apply(s, {{name, bad}}).size() == 1);
    }
}

TEST_CASE("health is told at one port of every address, or at a port each", "[gateway][upstream]") {
    gateway_settings s;
    REQUIRE(apply(s, {{name, "10.0.0.1:80,b.example:80"}, {health, ":9081"}}).empty());
    CHECK(s.upstreams[0][0].health_port == 9081);
    CHECK(s.upstreams[0][1].health_port == 9081);
    REQUIRE(apply(s, {{name, "10.0.0.1:80,unix:/a,b.example:80"}, {health, ":1, :2,:3"}}).empty());
    CHECK(s.upstreams[0][1].health_port == 2);
    CHECK(upstream_directory(s.upstreams[0]).targets()[1]->health == literal_address({"127.0.0.1", 2, {}}));
    REQUIRE(apply(s, {{name, "10.0.0.1:80"}, {health, ""}}).empty());
    CHECK(s.upstreams[0][0].health_port == 0);
    for (auto const& [addresses, wrong] :
         std::vector<std::pair<std::string, std::string>>{{"a:1,b:2,c:3", ":9,:9"}, // one is missing
                                                          {"a:1", "a:9"},           // no port alone
                                                          {"a:1", ":0"},            // no port
                                                          {"a:1,b:1", ":9,:9,:9"}}) // too many
    {
        INFO(wrong);
        CHECK(apply(s, {{name, addresses}, {health, wrong}}).size() == 1);
    }
}

TEST_CASE("the directory knows literal addresses at once, and follows names", "[gateway][upstream]") {
    service_addresses list;
    REQUIRE_FALSE(read_addresses("127.0.0.1:80,somewhere:80", list));
    REQUIRE_FALSE(read_health_ports(":9", list));
    upstream_directory directory(list);
    CHECK(directory.targets().size() == 1);
    CHECK_FALSE(directory.is_resolved());
    auto const first = directory.epoch();
    auto const a = *literal_address({"10.0.0.1", 80, {}});
    auto const b = *literal_address({"10.0.0.2", 80, {}});
    directory.replace(1, {a, b});
    CHECK(directory.is_resolved());
    CHECK(directory.epoch() != first);
    auto const before = directory.targets();
    REQUIRE(before.size() == 3);
    CHECK(before[1]->health == literal_address({"10.0.0.1", 9, {}}));
    directory.replace(1, {}); // no answer: what was known stays
    CHECK(directory.targets() == before);
    directory.replace(1, {b});
    auto const after = directory.targets();
    REQUIRE(after.size() == 2);
    CHECK(after[1] == before[2]); // the same address, with what is known of it
    auto const epoch = directory.epoch();
    directory.replace(1, {b, b});
    CHECK(directory.epoch() == epoch);
    directory.note_state(*after[1], health_state::ready);
    CHECK(directory.epoch() != epoch);
}

TEST_CASE("one check without an answer is no decision, two in a row are", "[gateway][upstream]") {
    unsigned in_row = 0;
    CHECK(evaluate(health_state::ready, health_state::silent, in_row) == health_state::ready);
    CHECK(evaluate(health_state::ready, health_state::ready, in_row) == health_state::ready);
    CHECK(evaluate(health_state::ready, health_state::silent, in_row) == health_state::ready);
    CHECK(evaluate(health_state::ready, health_state::silent, in_row) == health_state::silent);
    CHECK(evaluate(health_state::silent, health_state::refused, in_row) == health_state::refused);
    CHECK(evaluate(health_state::refused, health_state::unready, in_row) == health_state::unready);
}

TEST_CASE("the answer to a health check", "[gateway][upstream]") {
    CHECK(read_check_answer("HTTP/1.1 200 OK\r\n") == health_state::ready);
    CHECK(read_check_answer("HTTP/1.0 204 ") == health_state::ready);
    CHECK(read_check_answer("HTTP/1.1 503 Service Unavailable\r\n") == health_state::unready);
    CHECK(read_check_answer("SSH-2.0-x") == health_state::unready);
    CHECK_FALSE(read_check_answer(""));
    CHECK_FALSE(read_check_answer("HTTP/1.1 20"));
}

} // namespace upstream_address_test
