// The fields that booking and rescheduling share: slotStart and timeZone. Pure.
#pragma once
#include "core/time.hpp"
#include "http/json_fields.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace recruiting::public_api {

/// Each reads its field and adds a problem where it is not right.
[[nodiscard]] timestamp read_slot_start(http::json_fields& fields);
[[nodiscard]] std::optional<std::string> read_time_zone(http::json_fields& fields);

} // namespace recruiting::public_api
