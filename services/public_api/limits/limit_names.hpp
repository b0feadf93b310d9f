// The limits of this service by the names that refusals, RateLimit fields, metrics, Redis keys and proto-docs/limits.md
// give them.
#pragma once
#include <array>
#include <string_view>

namespace recruiting::public_api {

inline constexpr std::string_view booking_client_limit = "booking_client";
// Of one e-mail address, from one client network.
inline constexpr std::string_view booking_address_limit = "booking_address";
// Of one e-mail address, from all networks together; refuses nothing.
inline constexpr std::string_view booking_address_total_limit = "booking_address_total";
inline constexpr std::string_view booking_changes_limit = "booking_changes";
inline constexpr std::array limit_names = {booking_client_limit, booking_address_limit, booking_address_total_limit,
                                           booking_changes_limit};

} // namespace recruiting::public_api
