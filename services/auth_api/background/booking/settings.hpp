// The settings of the booking worker, part of auth-api's settings (proto-docs/booking.md).
#pragma once
#include "core/settings.hpp"

#include <chrono>
#include <cstdint>
#include <string>

namespace recruiting::auth_api::booking {

struct booking_settings {
    std::chrono::milliseconds interval{1'000};
    std::chrono::milliseconds lease{10'000};
    std::int64_t batch{100};
    std::int64_t attempts{20};
    std::chrono::milliseconds repeat_window{std::chrono::minutes{10}};
    std::string room_url; // a template with {room}, or empty
};

void declare(settings_reader& reader, booking_settings& target);

} // namespace recruiting::auth_api::booking
