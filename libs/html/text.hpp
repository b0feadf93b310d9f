// HTML made safe, HTML as plain text, plain text as HTML, and text escaped for HTML.
#pragma once
#include <string>
#include <string_view>

namespace recruiting::html {

/// Job descriptions come from other systems' editors. What is kept of their HTML is p br ul ol li strong em h2 h3 h4
/// and a[href] with http, https or mailto (descriptionHtml of the public API); everything else is dropped or unwrapped,
/// and b, i, h1, h5 and h6 are written as their next of kin. libxml2 reads the text; the output is written from its
/// tree, so that nothing is ever passed through, and only so that a browser reads back the same tree. Never throws for
/// bad HTML. Sanitising twice gives the same text.
[[nodiscard]] std::string sanitize(std::string_view html);

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
