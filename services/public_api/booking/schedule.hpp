// /scheduling/{jobId}/{stageId}: the published slots, and booking one. Also what /scheduling/manage shares: which part
// of a schedule a request asks for, the times in request bodies, and the list of slots as JSON.
#pragma once
#include "core/error.hpp"
#include "core/time.hpp"
#include "http/json_fields.hpp"
#include "http/message.hpp"
#include "pg/rows.hpp"
#include "public_api/booking/booking_settings.hpp"
#include "public_api/booking/booking_store.hpp"
#include "public_api/http/plan.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace recruiting::public_api {

/// from, to and timeZone of a query, narrowed to what can be booked now.
struct slot_query {
    time_span when;        // empty when from is not before to: nothing of what was asked for can be booked
    std::string time_zone; // of localStart; empty: none was asked for
};

/// What can be booked now: not sooner than the notice, not later than the horizon.
[[nodiscard]] time_span bookable_span(timestamp now, booking_settings const& config) noexcept;

/// Unknown parameters are ignored; invalid_request reports all problems of the known ones.
[[nodiscard]] result<slot_query> read_slot_query(std::string_view raw_query, timestamp now,
                                                 booking_settings const& config);

/// The field that booking and rescheduling share. Adds a problem if it is invalid.
[[nodiscard]] std::optional<std::string> read_time_zone(http::json_fields& fields);

/// {"data":[{slotStart, slotEnd, durationMinutes, localStart?}]}; zone may be empty. rows: as select_slots gives them.
[[nodiscard]] http::response slots_answer(pg::rows const& rows, std::string_view zone);

/// No cache may store a response about bookings: what is bookable changes by the minute, and links hold secrets.
void forbid_storing(http::response& answer);

/// GET /scheduling/{jobId}/{stageId}/slots: the published schedule, including slots that are already booked. not_found
/// for a stage that is unknown, unpublished or not bookable.
[[nodiscard]] result<plan> list_slots(action_input const& input);

/// POST /scheduling/{jobId}/{stageId}/bookings (proto-docs/booking.md). Every client gets the same response after the
/// same work, whether or not the address is a candidate's: the request is checked against what is published, counted
/// and kept. The booking worker of auth-api does the rest and informs the candidate by e-mail only.
[[nodiscard]] result<plan> request_booking(action_input const& input);

/// The error names all problems of the body at once.
[[nodiscard]] result<booking_request> read_booking_request(http::request const& req, booking_settings const& config);

/// action_input::limit_key, derived from the secret that the instances share.
[[nodiscard]] digest limit_key_of(std::string_view secret);
/// By client and job, by e-mail address and client network, and silently by e-mail address alone. No client sees a
/// count that another one raised.
[[nodiscard]] std::vector<counted_use> booking_uses(action_input const& input, uuid const& job, std::string_view email);

} // namespace recruiting::public_api
