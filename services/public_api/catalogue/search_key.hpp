// How titles and places are compared: as the database's search_key and lower do it (migrations 0001, 0003). Pure.
#pragma once
#include <string>
#include <string_view>

namespace recruiting::public_api {

/// Lower case, compatibility decomposition (Unicode NFKD), no combining accents (U+0300 to U+036F). Text that is not
/// UTF-8 is its own key.
[[nodiscard]] std::string search_key(std::string_view text);

/// Each character's simple lower case (Unicode), accents kept. Text that is not UTF-8 stays as it is.
[[nodiscard]] std::string lower_case(std::string_view text);

} // namespace recruiting::public_api
