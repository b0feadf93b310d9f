// Writing audit rows: many at a time, in one statement.
#pragma once
#include "audit/event.hpp"
#include "pg/params.hpp"

#include <span>

namespace recruiting::audit {

[[nodiscard]] pg::statement insert_events(std::span<event const> events);

/// For events whose credential is refused. Over all instances, single_rows of them a minute and key become rows of
/// their own: the result's rows are their ids. The others are counted, as durably. counters: of each event, the zero id
/// or an instance's own once it knows that the minute of that key is full.
[[nodiscard]] pg::statement count_refused_events(std::span<event const> events, std::span<uuid const> counters,
                                                 std::int64_t single_rows);
/// Turns the counts of minutes that have ended into one row a minute and key. Its one row: how many were written.
[[nodiscard]] pg::statement write_refused_counts();

} // namespace recruiting::audit
