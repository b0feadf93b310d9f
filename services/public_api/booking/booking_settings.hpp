// What an operator can set of booking.
#pragma once
#include <chrono>
#include <cstdint>

namespace recruiting::public_api {

struct booking_settings {
    std::int64_t requests_per_client{10};      // an hour, by one client for one job
    std::int64_t requests_per_email{5};        // a UTC day, for one e-mail address, from one client network
    std::int64_t requests_per_email_total{50}; // a UTC day, for one e-mail address, from all networks
    std::chrono::milliseconds notice{std::chrono::hours{2}};
    std::chrono::milliseconds horizon{std::chrono::hours{30 * 24}};

    // These are no settings.
    std::int64_t body_limit{4096};     // bytes: an address, a time and a note
    std::int64_t changes_per_hour{20}; // of one booking: far beyond anyone who can't decide
    std::int64_t changes_per_day{40};
    std::chrono::milliseconds join_before{std::chrono::minutes{15}}; // early guests; the link is of no use before
    std::chrono::milliseconds join_after{std::chrono::hours{1}};     // an interview that takes longer
    std::int64_t slots_shown{2'000};                                 // two months of every half hour
};

} // namespace recruiting::public_api
