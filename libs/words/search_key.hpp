// What searches compare, as the database's recruiting.search_key makes it. Pure.
#pragma once
#include <string>
#include <string_view>

namespace recruiting {

/// Text in lower case, without accents, invisible characters and differences of width, with a plain letter for each
/// that does not decompose. text: UTF-8.
[[nodiscard]] std::string search_key(std::string_view text);

} // namespace recruiting
