// What becomes of a booking request (proto-docs/booking.md). Pure: from the request and what the database says of it
// comes what is to be written. One row in bookings is an application's interview of one stage.
#pragma once
#include "core/ids.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace recruiting::auth_api::booking {

struct request {
    uuid id;
    uuid organization_id;
    uuid job_id;
    uuid stage_id;
    timestamp starts_at;
    std::string email;
    std::string email_key;  // its canonical form (mail/address.hpp)
    std::string time_zone;  // empty: the client gave none
    std::string language;   // of the mails; empty: English
    timestamp leased_until; // distinguishes this lease from a later one
    bool is_excess{false};  // beyond the larger limit of its address over all networks
    timestamp received_at{};
};

enum class status { confirmed, unplaced, canceled };

struct known_booking {
    uuid id;
    booking::status status{status::canceled};
    std::optional<timestamp> starts_at; // confirmed and canceled
    std::optional<timestamp> ends_at;
    std::optional<timestamp> wanted_starts_at; // unplaced
    timestamp updated_at;                      // distinguishes this version from a later one
};

/// An active application on the request's job and stage of a candidate with its address.
struct matched_application {
    uuid id;
    uuid candidate_id;
    timestamp applied_at;
    std::string organization_time_zone;
    std::optional<known_booking> booking;
};

/// At the time asked for.
struct free_slot {
    uuid id;
    uuid membership_id; // the interviewer's
    std::int64_t interviews_ahead{0};
};

struct facts {
    timestamp now; // the database's
    std::vector<matched_application> matched;
    std::vector<free_slot> free;
};

enum class act {
    discard,          // no mail: no such candidate, or one was sent just before
    confirm,          // with slot
    request_new_time, // the time is gone: the candidate gets a link to pick another
    remind,           // a mail about the booking as it stands
};

struct decision {
    booking::act act{act::discard};
    std::optional<matched_application> application; // not of discard
    std::optional<free_slot> slot;                  // of confirm
    std::string time_zone;                          // for the mails' wording
};

[[nodiscard]] decision decide(request const& asked, facts const& known, std::chrono::milliseconds repeat_window);

} // namespace recruiting::auth_api::booking
