// What PostgreSQL says of a statement that failed. For libs/pg only.
#pragma once
#include "pg/error.hpp"

#include <string>

struct pg_result;

namespace recruiting::pg {

/// code: PG_DIAG_… of libpq; "" when it was not told.
[[nodiscard]] std::string error_field(pg_result const* result, int code);
/// DETAIL is left out: it quotes the row's values, which belong into no log.
[[nodiscard]] query_error error_of(pg_result const* result);
/// The connection can't go on after these, though libpq still holds it (PostgreSQL appendix A, classes 57P and 25006).
[[nodiscard]] bool ends_connection(pg_result const* result);

} // namespace recruiting::pg
