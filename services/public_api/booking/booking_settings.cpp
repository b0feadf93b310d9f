#include "public_api/booking/booking_settings.hpp"

namespace recruiting::public_api {

using namespace std::chrono_literals;

void declare_booking(settings_reader& reader, booking_settings& to) {
    reader.number("RECRUITING_PUBLIC_API_BOOKINGS_PER_ADDRESS", to.requests_per_client, 1, 1'000'000,
                  "Maximum booking requests per hour from one client address for one job.");
    reader.number(
        "RECRUITING_PUBLIC_API_BOOKINGS_PER_EMAIL", to.requests_per_email, 1, 1'000'000,
        "Maximum booking requests per UTC day for one e-mail address from one client network (IPv4 /24, IPv6 /56).");
    reader.number("RECRUITING_PUBLIC_API_BOOKINGS_PER_EMAIL_TOTAL", to.requests_per_email_total, 1, 1'000'000,
                  "Booking requests per UTC day for one e-mail address from all networks together, beyond which "
                  "requests get the same response, are processed last and repeat no mail.");
    reader.duration("RECRUITING_PUBLIC_API_BOOKING_NOTICE", to.notice, 0ms, 720h,
                    "Earliest start of a bookable slot, from now.");
    reader.duration("RECRUITING_PUBLIC_API_BOOKING_HORIZON", to.horizon, 24h, 8760h,
                    "Latest start of a bookable slot, from now.");
    reader.number("RECRUITING_PUBLIC_API_BOOKING_BODY_LIMIT", to.body_limit, 512, 65'536,
                  "Maximum body of a booking request, in bytes.");
    reader.number("RECRUITING_PUBLIC_API_BOOKING_CHANGES", to.changes_per_hour, 1, 1'000'000,
                  "Maximum reschedules and cancellations of one booking per hour, through all its links together.");
    reader.number("RECRUITING_PUBLIC_API_BOOKING_CHANGES_PER_DAY", to.changes_per_day, 1, 1'000'000,
                  "Maximum reschedules and cancellations of one booking per UTC day, through all its links together.");
    reader.duration("RECRUITING_PUBLIC_API_JOIN_BEFORE", to.join_before, 0ms, 24h * 31,
                    "Time before the interview from which its join link leads to the meeting.");
    reader.duration("RECRUITING_PUBLIC_API_JOIN_AFTER", to.join_after, 0ms, 24h,
                    "Time after the interview's end during which its join link still leads to the meeting.");
    reader.number("RECRUITING_PUBLIC_API_SLOTS_SHOWN", to.slots_shown, 1, 100'000,
                  "Maximum slots in one response, the soonest first.");
}

} // namespace recruiting::public_api
