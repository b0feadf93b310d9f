// What becomes of a booking request, case by case (proto-docs/booking.md).
#include "auth_api/background/booking/decision.hpp"
#include "support/catch.hpp"

namespace booking_decision_test {
using namespace recruiting;
using namespace recruiting::auth_api::booking;
using namespace std::chrono_literals;

namespace {

timestamp const now = *parse_time("2026-03-02T09:00:00Z");
timestamp const wanted = now + 48h;
constexpr auto window = 10min;

uuid id(std::uint8_t n) {
    uuid out;
    out.bytes[15] = n;
    return out;
}

request asking(std::string zone = "Europe/Paris") {
    request out;
    out.starts_at = wanted;
    out.email = "ann@mail.example";
    out.time_zone = std::move(zone);
    return out;
}

matched_application application(std::uint8_t n, std::optional<known_booking> booking = {}) {
    return {id(n), id(100), now - 24h, "Europe/Berlin", std::move(booking)};
}

known_booking confirmed(timestamp starts_at, timestamp updated_at = now - 24h) {
    return {id(50), status::confirmed, starts_at, starts_at + 45min, {}, updated_at};
}

known_booking unplaced(timestamp wanted_at, timestamp updated_at) {
    return {id(50), status::unplaced, {}, {}, wanted_at, updated_at};
}

known_booking canceled() { return {id(50), status::canceled, wanted, wanted + 45min, {}, now - 1min}; }

free_slot slot(std::uint8_t n, std::uint8_t interviewer, std::int64_t ahead) { return {id(n), id(interviewer), ahead}; }

facts with(std::optional<known_booking> booking, std::vector<free_slot> free) {
    return {now, {application(1, std::move(booking))}, std::move(free)};
}

act act_of(facts const& known) { return decide(asking(), known, window).act; }

} // namespace

TEST_CASE("an address that nobody on the stage has is forgotten, whether a slot is free or not", "[booking]") {
    for (auto const& free : {std::vector<free_slot>{}, std::vector{slot(1, 1, 0)}}) {
        auto const what = decide(asking(), {now, {}, free}, window);
        CHECK(what.act == act::discard);
        CHECK_FALSE(what.application);
        CHECK_FALSE(what.slot);
    }
}

TEST_CASE("a matched candidate gets the free slot, or a link when there is none", "[booking]") {
    auto const booked = decide(asking(), with({}, {slot(7, 1, 0)}), window);
    CHECK(booked.act == act::confirm);
    CHECK(booked.slot->id == id(7));
    CHECK(booked.application->id == id(1));
    auto const lost = decide(asking(), with({}, {}), window);
    CHECK(lost.act == act::request_new_time);
    CHECK_FALSE(lost.slot);
    CHECK(lost.application->id == id(1));
}

TEST_CASE("the interviewer with the fewest interviews ahead is chosen, then the first by id", "[booking]") {
    auto const chosen = [](std::vector<free_slot> free) { return decide(asking(), with({}, free), window).slot->id; };
    CHECK(chosen({slot(1, 1, 3), slot(2, 2, 1), slot(3, 3, 2)}) == id(2));
    CHECK(chosen({slot(1, 9, 1), slot(2, 4, 1), slot(3, 5, 1)}) == id(2));
    CHECK(chosen({slot(3, 4, 1), slot(2, 4, 1)}) == id(2));
}

TEST_CASE("of several applications with the address the newest is meant", "[booking]") {
    auto const older = application(9);
    auto newer = application(2);
    newer.applied_at += 1h;
    CHECK(decide(asking(), {now, {older, newer}, {}}, window).application->id == id(2));
    CHECK(decide(asking(), {now, {newer, older}, {}}, window).application->id == id(2));
    CHECK(decide(asking(), {now, {application(3), application(4)}, {}}, window).application->id == id(4));
}

TEST_CASE("an interview ahead is never moved by a request, its candidate is told how it stands", "[booking]") {
    auto const free = std::vector{slot(1, 1, 0)};
    CHECK(act_of(with(confirmed(wanted + 24h), free)) == act::remind);
    CHECK(act_of(with(confirmed(wanted + 24h, now), free)) == act::remind);
    CHECK(act_of(with(confirmed(wanted + 24h), {})) == act::remind);
    CHECK(act_of(with(confirmed(wanted), free)) == act::remind);
    CHECK(act_of(with(confirmed(wanted, now - 10min), {})) == act::remind);
}

TEST_CASE("asked for the same time again within the window, nobody is told twice", "[booking]") {
    CHECK(act_of(with(confirmed(wanted, now - 10min + 1ms), {})) == act::discard);
    CHECK(act_of(with(confirmed(wanted, now), {slot(1, 1, 0)})) == act::discard);
    CHECK(act_of(with(unplaced(wanted, now - 1min), {})) == act::discard);
}

TEST_CASE("beyond the larger limit over all networks no mail is repeated, and the candidate can still book",
          "[booking]") {
    auto const in_excess = [](facts const& known) {
        auto asked = asking();
        asked.is_excess = true;
        return decide(asked, known, window).act;
    };
    auto const free = std::vector{slot(1, 1, 0)};
    CHECK(in_excess(with({}, free)) == act::confirm);
    CHECK(in_excess(with(canceled(), free)) == act::confirm);
    CHECK(in_excess(with(unplaced(wanted, now), free)) == act::confirm);
    CHECK(in_excess(with({}, {})) == act::request_new_time); // the first link
    for (auto const& again : {confirmed(wanted + 24h), confirmed(wanted), unplaced(wanted + 1h, now - 1h), canceled()})
        CHECK(in_excess(with(again, {})) == act::discard);
    CHECK(in_excess({now, {}, free}) == act::discard); // as everybody who is no candidate
}

TEST_CASE("an interview that is going on is the one the candidate has, one that has ended is not", "[booking]") {
    auto const free = std::vector{slot(1, 1, 0)};
    CHECK(act_of(with(confirmed(now - 30min), free)) == act::remind);
    CHECK(act_of(with(confirmed(now - 45min), free)) == act::confirm);
    CHECK(act_of(with(confirmed(now - 45min), {})) == act::request_new_time);
}

TEST_CASE("who holds no interview any more may book again", "[booking]") {
    auto const free = std::vector{slot(1, 1, 0)};
    CHECK(act_of(with(canceled(), free)) == act::confirm);
    CHECK(act_of(with(canceled(), {})) == act::request_new_time);
    CHECK(act_of(with(unplaced(wanted, now), free)) == act::confirm);
    CHECK(act_of(with(unplaced(wanted + 1h, now), {})) == act::request_new_time);
    CHECK(act_of(with(unplaced(wanted, now - 11min), {})) == act::remind); // the link once more
}

TEST_CASE("mails are worded in the time zone asked for, else in the organization's", "[booking]") {
    auto const zone = [](std::string asked, std::string organizations) {
        auto known = with({}, {});
        known.matched[0].organization_time_zone = std::move(organizations);
        return decide(asking(std::move(asked)), known, window).time_zone;
    };
    CHECK(zone("America/New_York", "Europe/Berlin") == "America/New_York");
    CHECK(zone("", "Europe/Berlin") == "Europe/Berlin");
    CHECK(zone("Mars/Olympus", "Europe/Berlin") == "Europe/Berlin");
    CHECK(zone("../../etc/passwd", "Europe/Berlin") == "Europe/Berlin");
    CHECK(zone("", "nowhere") == "UTC");
}

} // namespace booking_decision_test
