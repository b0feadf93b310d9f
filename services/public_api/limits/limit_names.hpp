// The limits of this service by the names that metrics, Redis keys and proto-docs/limits.md give them.
#pragma once
#include <array>
#include <string_view>

namespace recruiting::public_api {

inline constexpr std::string_view booking_address_limit = "booking_address";
inline constexpr std::string_view booking_email_limit = "booking_email";
inline constexpr std::string_view booking_changes_limit = "booking_changes";
inline constexpr std::array limit_names = {booking_address_limit, booking_email_limit, booking_changes_limit};

} // namespace recruiting::public_api
