#include "auth_api/background/booking/settings.hpp"

#include "mail/address.hpp"

namespace recruiting::auth_api::booking {

void declare(settings_reader& reader, booking_settings& target) {
    using namespace std::chrono_literals;
    reader.owns("RECRUITING_BOOKING_");
    reader.duration("RECRUITING_BOOKING_INTERVAL", target.interval, 20ms, 10min,
                    "How often booking requests are taken up. The pace is fixed, whatever the requests are.");
    reader.duration("RECRUITING_BOOKING_LEASE", target.lease, 200ms, 1h,
                    "How long a request belongs to the process that took it up; then another may.");
    reader.number("RECRUITING_BOOKING_BATCH", target.batch, 1, 10'000, "Requests taken up at once.");
    reader.number("RECRUITING_BOOKING_ATTEMPTS", target.attempts, 1, 1'000,
                  "A request that failed so often is set aside and never tried again by itself.");
    reader.duration("RECRUITING_BOOKING_REPEAT_WINDOW", target.repeat_window, 0ms, 24h,
                    "A candidate who asks for the same time again within so long gets no second mail.");
    reader.custom(
        "RECRUITING_BOOKING_ROOM_URL", target.room_url,
        "Where interviews meet when neither their slot, nor the interviewer, nor the organization has an address: "
        "https:// with {room}, which becomes 32 random characters; empty: nowhere until one of these is set.",
        [&target](std::string_view value) -> std::optional<std::string> {
            if (!value.empty())
                if (auto problem = mail::room_template_problem(value)) return problem;
            target.room_url = value;
            return std::nullopt;
        });
}

} // namespace recruiting::auth_api::booking
