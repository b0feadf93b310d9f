// What people type into q, as words: letters and digits of any script.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::auth_api {

/// At most eight; ASCII punctuation and white space separate.
[[nodiscard]] std::vector<std::string> search_words(std::string_view text);

} // namespace recruiting::auth_api
