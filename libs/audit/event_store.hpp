// Writing audit rows: many at a time, in one statement.
#pragma once
#include "audit/event.hpp"
#include "pg/params.hpp"

#include <span>

namespace recruiting::audit {

[[nodiscard]] pg::statement insert_events(std::span<event const> events);

} // namespace recruiting::audit
