// The plans of everything that booking and its mails ask PostgreSQL, on large tables (plans_test says why).
#include "auth_api/background/booking/store.hpp"
#include "auth_api/background/mail/outbox_store.hpp"
#include "integration/support/planner.hpp"
#include "public_api/booking/booking_store.hpp"
#include "support/catch.hpp"

namespace booking_plans_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

void check_all(planner& plans, std::vector<pg::statement> const& statements, order wanted) {
    for (auto const& one : statements) check_plan(plans, one, wanted);
}

} // namespace

TEST_CASE("what the booking worker reads and writes is found by index", "[plans]") {
    namespace booking = auth_api::booking;
    planner plans(large_database().auth_url(), planner::program::auth_api);
    plans.set("worker", "booking");
    check_all(plans, booking::lease_requests({}), order::from_index);
    booking::request const asked;
    check_all(plans, booking::select_facts(asked), order::from_index);
    auto const matched = plans.explain(booking::select_facts(asked).at(2));
    INFO(matched);
    CHECK(matched.find("candidates_by_email") != std::string::npos); // whatever the number on the stage
    booking::matched_application first_booking;
    auto another = first_booking;
    another.booking = booking::known_booking{};
    for (auto const& application : {first_booking, another})
        for (auto const act : {booking::act::discard, booking::act::confirm, booking::act::request_new_time})
            check_all(plans,
                      booking::write_decision(asked, {act, application, booking::free_slot{}, "UTC"}, std::nullopt),
                      order::from_index);
    check_all(plans, booking::write_decision(asked, {booking::act::remind, another, {}, "UTC"}, std::nullopt),
              order::from_index);
    check_all(plans, booking::write_decision(asked, {}, std::nullopt, true), order::from_index);
    check_all(plans, booking::bound_unmatched(std::vector{uuid{}}, 1'000), order::from_index);
}

TEST_CASE("the outbox is sent and cleaned by index", "[plans]") {
    namespace mailing = auth_api::mailing;
    planner plans(large_database().auth_url(), planner::program::auth_api);
    plans.set("worker", "mailer");
    mailing::lease const held{};
    mailing::link_hashes links;
    links.manage.fill('x');
    links.join.fill('y');
    links.decline.fill('z');
    check_all(plans, mailing::lease_mail(uuid{}, std::chrono::seconds{30}), order::from_index);
    check_all(plans, mailing::open_mail(held), order::from_index);
    check_all(plans, mailing::count_mail(held, "kim@mail.example", 12, links, std::chrono::hours{24}),
              order::from_index);
    using result = mailing::attempt_outcome::result;
    for (auto const what : {result::sent, result::dead, result::delayed, result::given_back, result::held_back})
        check_all(plans, mailing::conclude(held, {what, "why", std::chrono::seconds{30}}), order::from_index);
    check_all(plans, mailing::select_state(), order::from_index);
}

TEST_CASE("the schedule, requests and links are served by index", "[plans]") {
    planner plans(large_database().public_url(), planner::program::public_api);
    public_api::stage_of_job const where{};
    public_api::time_span const when{timestamp{}, timestamp{} + std::chrono::hours{24 * 31}};
    check_plan(plans, public_api::select_bookable_stage(where), order::any);
    check_plan(plans, public_api::select_slots(where, when, 100), order::any);
    check_plan(plans, public_api::insert_booking_request(where, {"a@b.example", timestamp{}, "UTC", "en"}, false),
               order::any);
    digest link;
    link.fill('x');
    check_plan(plans, public_api::present_link(link, "request"), order::any);
    check_plan(plans, public_api::select_presented_booking(), order::any);
    check_plan(plans, public_api::select_presented_meeting(), order::any);
    check_plan(plans, public_api::select_free_slots(when, 100), order::any);
    check_plan(plans, public_api::limit_changes(20, 40), order::any);
    check_plan(plans, public_api::lock_presented_booking(), order::any);
    check_plan(plans, public_api::move_booking(timestamp{}, "UTC"), order::any);
    check_plan(plans, public_api::cancel_booking(), order::any);
}

} // namespace booking_plans_test
