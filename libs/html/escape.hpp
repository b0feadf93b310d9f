// Text as it stands in HTML.
#pragma once
#include <string>
#include <string_view>

namespace recruiting::html {

/// & < > and " as references: safe as text and between an attribute's double quotes.
void append_escaped(std::string& out, std::string_view text);
[[nodiscard]] std::string escaped(std::string_view text);

} // namespace recruiting::html
