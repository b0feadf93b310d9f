// What several resources have alike: a location, the search parameter q, and who may read the names of people.
#pragma once
#include "auth/principal.hpp"
#include "http/json_writer.hpp"
#include "http/query.hpp"
#include "pg/rows.hpp"

#include <optional>
#include <string>

namespace recruiting::auth_api {

/// The columns of a location, side by side in a select list.
struct location_columns {
    enum : int { name, city, region, country_code, count };
};

/// Writes the member "location": {name, city, region, countryCode}, or null when nothing is known.
void write_location(http::json_writer& json, pg::rows const& rows, int row, int first);

/// The text of the parameter q. Text without a letter or a digit is a problem: it would filter nothing and return
/// everything. PostgreSQL decides which of its words fold to nothing (recruiting.search_words).
[[nodiscard]] std::optional<std::string> read_search(http::query_reader& query);

/// The name of a member is shown only to a key that could read the member too; a candidate's name likewise.
[[nodiscard]] bool may_read_members(auth::principal const& who);
[[nodiscard]] bool may_read_candidates(auth::principal const& who);

} // namespace recruiting::auth_api
