// What a connection's session is set to, by a statement instead of start-up parameters: PgBouncer refuses those.
#pragma once
#include "pg/params.hpp"

#include <string>
#include <utility>
#include <vector>

namespace recruiting::pg {

/// "-c jit=off -c statement_timeout=1000", as PGOPTIONS has it. Throws std::logic_error: options are written by us.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> parse_options(std::string_view options);
/// Sets them until the session ends.
[[nodiscard]] statement set_session(std::string_view options);

} // namespace recruiting::pg
