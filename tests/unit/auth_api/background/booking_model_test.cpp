// The claim of a slot (decisions 51, 52 and 96) as a model: two workers, of which each can crash and be overtaken, work
// off three requests of two candidates for one time, while a candidate's link moves and cancels, the interviewer
// declines and a recruiter closes the slot. The workers decide by decide(); steps of PostgreSQL name what they stand
// for in store.cpp, booking_store.cpp and the triggers of migrations 10 and 45. That those do so is tested in
// tests/integration/auth_api/background (booking_leases_test, booking_worker_test) and public_api (decline_test).
#include "auth_api/background/booking/decision.hpp"
#include "support/catch.hpp"
#include "support/explore.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace booking_model_test {
using namespace recruiting;
namespace booking = auth_api::booking;
using namespace booking;
using namespace std::chrono_literals;

namespace {

constexpr auto one_interview = "an interviewer has one interview at a time";
constexpr auto one_end = "a request that was accepted waits, or has ended once";
constexpr auto declined = "who has declined a time is not booked at that time";
constexpr auto only_link_moves = "a request moves no interview: only the mailed link does";
constexpr auto one_booking = "an application has one booking a stage";
constexpr auto told = "the last mail about a booking says how it stands";
constexpr auto all_end = "though every worker dies, the next one works off every request";

timestamp const now = *parse_time("2026-03-02T09:00:00Z");
constexpr std::size_t later_slot = 1; // slots: 0 at the time that all ask for, 1 a day later; of one interviewer

// What is explored together; all of it at once would take minutes.
struct extent {
    std::size_t second_candidate{1}; // of the second request; the first one is candidate 0's
    int link_changes{0};
    bool slot_goes{false}; // by a recruiter or the interviewer
    int crashes{0}, expirations{0};
};
constexpr extent one_asks_twice{0, 2, false, 1, 1};
constexpr extent two_ask{1, 0, true, 1, 1};

struct stored_booking {
    booking::status status{status::unplaced};
    std::optional<std::size_t> slot{};
    int version{1}; // updated_at
    auto operator<=>(stored_booking const&) const = default;
};

struct stored_request {
    int leased{0}; // how often; the number of the current lease
    bool expired{true};
    int ended{0}; // how often: the row is deleted then
    auto operator<=>(stored_request const&) const = default;
};

struct stored_slot {
    bool closed{false}, declined{false};
    auto operator<=>(stored_slot const&) const = default;
};

struct worker {
    enum class phase { idle, leased, decided, claiming }; // claiming: holds the slot FOR SHARE until it commits
    worker::phase at{phase::idle};
    std::size_t request{0};
    int lease{0};
    booking::act act{act::discard};
    std::optional<int> version{}; // of the booking that was decided upon
    auto operator<=>(worker const&) const = default;
};

enum class mistake {
    none,
    no_exclusion,
    slot_not_locked,
    version_ignored,
    request_kept,
    bookings_not_unique,
    mail_forgotten
};

struct world {
    mistake made{mistake::none};
    worker first, second;
    std::array<std::size_t, 2> candidate_of{0, 1}; // by request
    std::array<stored_request, 2> requests{};
    std::array<stored_slot, 2> slots{};
    std::array<std::optional<stored_booking>, 2> bookings{}; // by candidate
    std::array<std::optional<stored_booking>, 2> mails{};    // the booking as the last mail has it
    int crashes{0};
    int expirations{0};
    int link_changes{0};
    bool later{false}; // past the window in which a repeated request gets no mail
    bool moved_by_request{false}, booked_twice{false};
    auto operator<=>(world const&) const = default;
};

using phase = enum worker::phase;

bool is_taken(world const& w, std::size_t slot, std::size_t but_by) {
    for (std::size_t i = 0; i < w.bookings.size(); ++i)
        if (i != but_by && w.bookings[i] && w.bookings[i]->status == status::confirmed && w.bookings[i]->slot == slot)
            return true;
    return false;
}

void tell(world& w, std::size_t candidate) { w.mails.at(candidate) = w.bookings.at(candidate); }

// An update with its triggers: stamp, tell_booking.
void change(world& w, std::size_t candidate, booking::status status, std::optional<std::size_t> slot) {
    auto& booking = w.bookings.at(candidate);
    booking = stored_booking{status, slot, booking ? booking->version + 1 : 1};
    if (w.made != mistake::mail_forgotten || status != status::canceled) tell(w, candidate);
}

bool lease(world& w, worker& p, std::size_t number) { // lease_sql
    auto& request = w.requests.at(number);
    bool const is_there = request.ended == 0 || w.made == mistake::request_kept;
    if (p.at != phase::idle || !request.expired || !is_there) return false;
    request.expired = false;
    p = {phase::leased, number, ++request.leased};
    return true;
}

bool holds(world const& w, worker const& p) { // held_sql, and `taken`
    auto const& request = w.requests.at(p.request);
    return request.leased == p.lease && (request.ended == 0 || w.made == mistake::request_kept);
}

timestamp starts_at(std::size_t slot) { return now + 24h * (1 + static_cast<int>(slot)); }

facts read(world const& w, std::size_t candidate) { // matched_sql and free_sql
    facts known{w.later ? now + 20min : now, {{}}, {}};
    if (auto const& stored = w.bookings.at(candidate)) {
        auto& booking = known.matched.front().booking.emplace();
        booking.status = stored->status;
        booking.updated_at = now + std::chrono::seconds(stored->version);
        if (stored->status == status::unplaced) booking.wanted_starts_at = starts_at(0);
        if (!stored->slot) return known;
        booking.starts_at = starts_at(*stored->slot);
        booking.ends_at = *booking.starts_at + 45min;
    }
    return known;
}

bool decide_upon(world& w, worker& p) {
    if (p.at != phase::leased) return false;
    if (!holds(w, p)) {
        p = {};
        return true;
    }
    auto const candidate = w.candidate_of.at(p.request);
    auto known = read(w, candidate);
    if (!w.slots[0].closed && !is_taken(w, 0, w.bookings.size())) known.free = {free_slot{}};
    request asked;
    asked.starts_at = starts_at(0);
    p.act = decide(asked, known, 10min).act;
    p.at = phase::decided;
    if (auto const& stored = w.bookings.at(candidate)) p.version = stored->version;
    return true;
}

// The first half of a claim's transaction: place_booking locks an open slot FOR SHARE, else the worker looks again.
bool claim(world& w, worker& p) {
    if (p.at != phase::decided || p.act != act::confirm) return false;
    p.at = w.slots[0].closed ? phase::leased : phase::claiming;
    return true;
}

// `taken`: false where the request is not this worker's any more, or the booking has changed.
bool take(world& w, worker const& p) {
    auto const& stored = w.bookings.at(w.candidate_of.at(p.request));
    std::optional<int> version;
    if (stored && p.version) version = stored->version;
    if (!holds(w, p) || (version != p.version && w.made != mistake::version_ignored)) return false;
    ++w.requests.at(p.request).ended;
    return true;
}

bool write(world& w, worker& p) { // write_decision: commits, or the worker looks again
    bool const claims = p.at == phase::claiming;
    if (!claims && (p.at != phase::decided || p.act == act::confirm)) return false;
    auto const candidate = w.candidate_of.at(p.request);
    auto const before = w.bookings.at(candidate);
    bool const inserts = !p.version && (claims || p.act == act::request_new_time);
    bool const violates_unique = inserts && before && w.made != mistake::bookings_not_unique;
    bool const violates_exclusion = claims && is_taken(w, 0, candidate) && w.made != mistake::no_exclusion;
    if (violates_unique || violates_exclusion || !take(w, p)) {
        p.at = phase::leased;
        p.version.reset();
        return true;
    }
    w.booked_twice |= inserts && before;
    if (claims || p.act == act::request_new_time) {
        w.moved_by_request |= !inserts && before->status == status::confirmed;
        change(w, candidate, claims ? status::confirmed : status::unplaced,
               claims ? std::optional<std::size_t>(0) : std::nullopt);
    }
    if (p.act == act::remind) tell(w, candidate);
    p = {};
    return true;
}

bool move_by_link(world& w) { // move_sql
    auto const& booking = w.bookings[0];
    if (!booking || w.link_changes == 0 || is_taken(w, later_slot, 0) || booking->slot == later_slot) return false;
    --w.link_changes;
    change(w, 0, status::confirmed, later_slot);
    return true;
}

bool cancel_by_link(world& w) { // cancel_sql
    auto const& booking = w.bookings[0];
    if (!booking || w.link_changes == 0 || booking->status == status::canceled) return false;
    --w.link_changes;
    change(w, 0, status::canceled, booking->slot);
    return true;
}

bool close_slot(world& w) {
    bool const is_locked = w.first.at == phase::claiming || w.second.at == phase::claiming;
    if (w.slots[0].closed || (is_locked && w.made != mistake::slot_not_locked)) return false;
    return w.slots[0].closed = true;
}

bool decline(world& w) { // decline_interview(): closes the slot, then takes the time from the booking
    for (std::size_t i = 0; i < w.bookings.size(); ++i) {
        if (!is_taken(w, 0, 1 - i)) continue;
        if (!w.slots[0].closed && !close_slot(w)) return false;
        w.slots[0].declined = true;
        change(w, i, status::unplaced, {});
        return true;
    }
    return false;
}

bool expire(world& w) {
    if (w.expirations == 0) return false;
    --w.expirations;
    for (auto& one : w.requests) one.expired = true;
    return true;
}

bool works_off_all(world w) {
    for (auto* const one : {&w.first, &w.second}) *one = {};
    for (std::size_t i = 0; i < w.requests.size(); ++i) {
        if (w.requests[i].ended > 0) continue;
        w.requests[i].expired = true;
        worker next;
        if (!lease(w, next, i) || !decide_upon(w, next)) return false;
        static_cast<void>(claim(w, next));
        if (!write(w, next) || w.requests[i].ended == 0) return false;
    }
    return true;
}

explore::model<world> claiming(extent const& most, mistake made = mistake::none) {
    explore::model<world> out{{}};
    out.start.made = made;
    out.start.candidate_of[1] = most.second_candidate;
    out.start.crashes = most.crashes;
    out.start.expirations = most.expirations;
    out.start.link_changes = most.link_changes;
    std::vector<explore::actor_step<world, worker>> steps = {
        {"reads the facts and decides", decide_upon}, {"claims the slot", claim}, {"writes what it decided", write}};
    for (std::size_t i = 0; i < out.start.requests.size(); ++i)
        steps.push_back(
            {"leases request " + std::to_string(i + 1), [i](world& w, worker& p) { return lease(w, p, i); }});
    add_actor(out, "worker 1", &world::first, steps);
    add_actor(out, "worker 2", &world::second, steps);
    out.steps.push_back({"the leases expire", expire});
    if (most.slot_goes) {
        out.steps.push_back({"a recruiter closes the slot", close_slot});
        out.steps.push_back({"the interviewer declines", decline});
    }
    if (most.link_changes > 0) {
        out.steps.push_back({"candidate 1 moves the interview by the link", move_by_link});
        out.steps.push_back({"candidate 1 cancels by the link", cancel_by_link});
        out.steps.push_back({"ten minutes pass", [](world& w) { return !std::exchange(w.later, true); }});
    }
    out.rules = {{one_interview, [](world const& w) { return !(is_taken(w, 0, 0) && is_taken(w, 0, 1)); }},
                 {one_end,
                  [](world const& w) {
                      return std::ranges::all_of(w.requests, [](auto const& one) { return one.ended <= 1; });
                  }},
                 {declined, [](world const& w) { return !w.slots[0].declined || !is_taken(w, 0, w.bookings.size()); }},
                 {only_link_moves, [](world const& w) { return !w.moved_by_request; }},
                 {one_booking, [](world const& w) { return !w.booked_twice; }},
                 {told, [](world const& w) { return w.mails == w.bookings; }},
                 {all_end, works_off_all}};
    return out;
}

} // namespace

TEST_CASE("model of booking: whoever is faster or dies, requests, slots and mails agree", "[booking][model]") {
    CHECK(explore::explore(claiming(one_asks_twice)).text() == "");
    CHECK(explore::explore(claiming(two_ask)).text() == "");
}

TEST_CASE("model of booking: the explorer finds a stale decision, and other mistakes", "[booking][model]") {
    auto const found = [](extent const& most, mistake made) { return explore::explore(claiming(most, made)).rule; };
    CHECK(found(two_ask, mistake::no_exclusion) == one_interview);
    CHECK(found(two_ask, mistake::slot_not_locked) == declined);
    CHECK(found(one_asks_twice, mistake::version_ignored) == only_link_moves);
    CHECK(found(one_asks_twice, mistake::request_kept) == one_end);
    CHECK(found(one_asks_twice, mistake::bookings_not_unique) == one_booking);
    CHECK(found(one_asks_twice, mistake::mail_forgotten) == told);
}

} // namespace booking_model_test
