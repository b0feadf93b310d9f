// The plans of what the console alone asks PostgreSQL, on large tables (plans_test says why).
#include "auth_api/console/routes.hpp"
#include "auth_api/console/session_store.hpp"
#include "auth_api/routes.hpp"
#include "integration/support/planner.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <set>

namespace console_plans_test {
using namespace recruiting;
using namespace recruiting::test;
using namespace recruiting::auth_api;

namespace {

struct question {
    std::string path; // below /console/api
    std::string query;
};

std::string const job = "00000005000070008000000000000000";
std::string const member = "00000003000070008000000000000008";
http::token_signer const signer("a secret of thirty-two bytes or so");

std::vector<question> const questions = {
    {"/api-keys", ""},
    {"/api-keys", "includeRevoked=true&limit=200"},
    {"/api-keys", "state=active&memberId=" + member},
    {"/api-keys", "id=" + member},
    {"/members/" + member + "/key-effects", "role=viewer"},
    {"/members/" + member + "/key-effects", "removed=true"},
    {"/audit/chain", ""},
    {"/webhooks", ""},
    {"/webhooks/" + member + "/deliveries", ""},
    {"/interviews/stages", ""},
    {"/interviews/stages", "bookable=true&jobId=" + job},
    {"/interviews/slots", ""},
    {"/interviews/slots", "memberId=" + member + "&to=2099-01-01T00:00:00Z&includeClosed=true"},
    {"/interviews/bookings", ""},
    {"/interviews/bookings", "jobId=" + job + "&status=confirmed,unplaced&to=2099-01-01T00:00:00Z"},
    {"/interviews/bookings/" + job, ""},
    {"/interviews/bookings/" + job + "/timeline", ""},
    {"/interviews/unmatched", ""},
    {"/interviews/unmatched", "receivedAfter=2026-01-01T00:00:00Z"},
};

route const& route_of(question const& asked, http::path_params* params = nullptr) {
    auto const match = console::find_route("GET", std::string(console::api_path) + asked.path);
    REQUIRE(match.found != nullptr);
    if (params != nullptr) *params = match.params;
    return *match.found;
}

std::vector<pg::statement> statements_of(question const& asked) {
    http::path_params params;
    auto const& route = route_of(asked, &params);
    http::query_reader query(asked.query);
    bind_input in{params, query, signer};
    auto bound = route.action.read(in);
    REQUIRE(bound.has_value());
    return std::move(bound->statements);
}

bool is_of_the_api(route const& route) {
    return std::ranges::any_of(routes(), [&](auto const& one) { return one.action.read == route.action.read; });
}

} // namespace

TEST_CASE("every read that the console alone has is asked", "[plans]") {
    std::set<std::string_view> asked;
    for (auto const& one : questions) asked.insert(route_of(one).path);
    for (auto const& route : console::routes()) {
        if (route.action.read == nullptr || is_of_the_api(route)) continue;
        INFO(route.path);
        CHECK(asked.contains(route.path));
    }
}

TEST_CASE("the console's reads scan no large table", "[plans]") {
    planner plans(large_database().auth_url(), planner::program::auth_api);
    for (auto const* role : {"admin", "hiring_manager", "interviewer"}) {
        plans.become(role);
        for (auto const& asked : questions) {
            INFO(role << ": GET " << asked.path << "?" << asked.query);
            for (auto const& statement : statements_of(asked)) check_plan(plans, statement, order::any);
        }
    }
}

// The organization has 2,500 slots, as many bookings, and 2,500 requests that matched nobody: one every eight hours.
TEST_CASE("a list of interviews reads what its span holds", "[plans]") {
    planner plans(large_database().auth_url(), planner::program::auth_api);
    plans.become("admin");
    auto const in_days = [](int days) { return format_time(system_time().now() + std::chrono::days{days}); };
    CHECK(plans.rows_read(statements_of({"/interviews/bookings", "to=" + in_days(5)})) < 400);
    CHECK(plans.rows_read(statements_of({"/interviews/slots", "to=" + in_days(5)})) < 400);
    CHECK(plans.rows_read(statements_of({"/interviews/unmatched", "receivedAfter=" + in_days(410)})) < 400);
}

TEST_CASE("sessions and sign-in links are found by index", "[plans]") {
    planner plans(large_database().auth_url(), planner::program::auth_api);
    digest hash;
    hash.fill('x');
    std::vector<pg::statement> asked{auth::authenticate(auth::credential(hash, auth::principal_kind::member)),
                                     console::present_link(hash), console::select_link(console::link_origin::operators),
                                     console::select_organizations(), console::select_sessions()};
    for (auto const& one : console::present_identified(hash, mail::parse_address("member1@plans.example").value()))
        asked.push_back(one);
    for (auto const& one : asked) check_plan(plans, one, order::any);
    plans.set("worker", "session_use");
    noted_use const use{uuid{}, parse_ip("192.0.2.1").value(), system_time().now()};
    for (auto const& one : console::write_session_uses({use}, std::chrono::hours{1}))
        check_plan(plans, one, order::any);
}

} // namespace console_plans_test
