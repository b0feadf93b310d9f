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
}

} // namespace recruiting::public_api
