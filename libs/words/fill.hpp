// Puts values into a text: {name} becomes the value of that name. A value's own braces stay as they are. Pure.
#pragma once
#include <initializer_list>
#include <string>
#include <string_view>

namespace recruiting {

struct named_value {
    std::string_view name;
    std::string_view value;
};
/// What stands in braces and is no name given stays as it is.
[[nodiscard]] std::string fill(std::string_view text, std::initializer_list<named_value> values);

} // namespace recruiting
