#pragma once
#include "http/query.hpp"

#include <optional>
#include <string>

namespace recruiting::auth_api {

/// The text of the parameter q; without a letter or a digit it is a problem, for a filter that filters nothing would
/// return all. Which of its words fold to nothing PostgreSQL knows (recruiting.search_words).
[[nodiscard]] std::optional<std::string> read_search(http::query_reader& query);

} // namespace recruiting::auth_api
