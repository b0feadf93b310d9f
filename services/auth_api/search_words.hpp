// What people type into q, as words: letters and digits of any script.
#pragma once
#include "http/query.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace recruiting::auth_api {

/// At most eight; ASCII punctuation and white space separate.
[[nodiscard]] std::vector<std::string> search_words(std::string_view text);

/// The words of the parameter q; q without a word is a problem, for a filter that filters nothing would return all.
[[nodiscard]] std::vector<std::string> read_search(http::query_reader& query);

} // namespace recruiting::auth_api
