#include "auth_api/background/booking/decision.hpp"

#include "zones/zone.hpp"

#include <algorithm>
#include <tuple>

namespace recruiting::auth_api::booking {
namespace {

// Two records of one person may both match: the application made last is the one that is meant.
matched_application const& newest(std::vector<matched_application> const& matched) {
    return *std::max_element(matched.begin(), matched.end(), [](auto const& a, auto const& b) {
        return std::tie(a.applied_at, a.id) < std::tie(b.applied_at, b.id);
    });
}

std::optional<free_slot> least_loaded(std::vector<free_slot> const& free) {
    auto const least = std::min_element(free.begin(), free.end(), [](auto const& a, auto const& b) {
        return std::tie(a.interviews_ahead, a.membership_id, a.id) <
               std::tie(b.interviews_ahead, b.membership_id, b.id);
    });
    return least == free.end() ? std::nullopt : std::optional(*least);
}

// An interview that is going on is still the one the candidate has.
bool is_ahead(known_booking const& booking, timestamp now) {
    return booking.status == status::confirmed && booking.ends_at && *booking.ends_at > now;
}

bool knows_time(known_booking const& booking, timestamp time) {
    return (booking.status == status::confirmed ? booking.starts_at : booking.wanted_starts_at) == time;
}

std::string zone_for(std::string const& asked, std::string const& organizations) {
    if (zones::is_zone(asked)) return asked;
    return zones::is_zone(organizations) ? organizations : "UTC";
}

// An address that requests keep coming for gets no further mails of them today. Its candidate can still book, and is
// still sent the first link to an interview: a stranger's flood takes nothing away.
bool is_repetition(act what, std::optional<known_booking> const& booking) {
    return what == act::remind || (what == act::request_new_time && booking);
}

act act_for(request const& asked, facts const& known, std::optional<known_booking> const& booking,
            std::chrono::milliseconds repeat_window) {
    bool const holds_interview = booking && is_ahead(*booking, known.now);
    if (!holds_interview && !known.free.empty()) return act::confirm;
    bool const was_notified =
        booking && (holds_interview || booking->status == status::unplaced) && knows_time(*booking, asked.starts_at);
    if (was_notified) return known.now - booking->updated_at < repeat_window ? act::discard : act::remind;
    // The second request may come from a stranger who knows the address: only the mailed link moves an interview.
    return holds_interview ? act::remind : act::request_new_time;
}

} // namespace

decision decide(request const& asked, facts const& known, std::chrono::milliseconds repeat_window) {
    decision out;
    if (known.matched.empty()) return out;
    out.application = newest(known.matched);
    out.time_zone = zone_for(asked.time_zone, out.application->organization_time_zone);
    out.act = act_for(asked, known, out.application->booking, repeat_window);
    if (asked.is_excess && is_repetition(out.act, out.application->booking)) out.act = act::discard;
    if (out.act == act::confirm) out.slot = least_loaded(known.free);
    return out;
}

} // namespace recruiting::auth_api::booking
