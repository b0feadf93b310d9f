// HTML as plain text, and plain text as HTML.
#pragma once
#include <string>
#include <string_view>

namespace recruiting::html {

/// Plain text: paragraphs and headings apart by an empty line, list items as "- ", white space collapsed.
[[nodiscard]] std::string to_text(std::string_view html);
/// Text whose < > & stand as references, read once: "&lt;p&gt;" is "<p>". Text that has tags already stays as it is.
[[nodiscard]] std::string unescaped(std::string_view text);
/// Paragraphs of plain text as HTML.
[[nodiscard]] std::string from_text(std::string_view text);

} // namespace recruiting::html
