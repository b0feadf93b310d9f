// POST /scheduling/{jobId}/{stageId}/bookings (proto-docs/booking.md). Every client gets the same response after the
// same work, whether or not the address is a candidate's: the request is checked against what is published, counted and
// kept. The booking worker of auth-api does the rest and informs the candidate by e-mail only.
#pragma once
#include "public_api/booking/booking_settings.hpp"
#include "public_api/booking/schedule_store.hpp"
#include "public_api/http/plan.hpp"

namespace recruiting::public_api {

[[nodiscard]] result<plan> request_booking(call const& from);

/// Any problem of the body: all of them at once.
[[nodiscard]] result<booking_request> read_booking_request(http::request const& req, booking_settings const& config);

/// call::limit_key, derived from the secret that the instances share.
[[nodiscard]] digest limit_key_of(std::string_view secret);
/// By client and job, by e-mail address and client network, and silently by e-mail address alone. No client sees a
/// count that another one raised.
[[nodiscard]] std::vector<counted_use> booking_uses(call const& from, uuid const& job, std::string_view email);

} // namespace recruiting::public_api
