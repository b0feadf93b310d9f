// HTML as plain text, plain text as HTML, and text escaped for HTML.
#pragma once
#include <string>
#include <string_view>

namespace recruiting::html {

/// & < > and " as references: safe as text and between an attribute's double quotes.
void append_escaped(std::string& out, std::string_view text);
[[nodiscard]] std::string escaped(std::string_view text);

/// Plain text: paragraphs and headings apart by an empty line, list items as "- ", white space collapsed.
[[nodiscard]] std::string to_text(std::string_view html);
/// Text whose < > & stand as references, read once: "&lt;p&gt;" is "<p>". Text that has tags already stays as it is.
[[nodiscard]] std::string unescaped(std::string_view text);
/// Paragraphs of plain text as HTML.
[[nodiscard]] std::string from_text(std::string_view text);

} // namespace recruiting::html
