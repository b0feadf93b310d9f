// Slots as the API shows them: of the published schedule and of a link's availability alike.
#pragma once
#include "http/message.hpp"
#include "pg/rows.hpp"

#include <string_view>

namespace recruiting::public_api {

/// {"data":[{slotStart, slotEnd, durationMinutes, localStart?}]}; zone may be empty. rows: the columns of slot_column.
[[nodiscard]] http::response slots_answer(pg::rows const& rows, std::string_view zone);

/// Nothing of scheduling is kept by anybody: what is bookable changes by the minute, and links hold secrets.
void forbid_storing(http::response& answer);

} // namespace recruiting::public_api
