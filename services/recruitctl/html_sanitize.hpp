// Job descriptions come from other systems' editors. What is kept of their HTML is p br ul ol li strong em h2 h3 h4 and
// a[href] with http, https or mailto (design: Public API, publicJob); everything else is dropped or unwrapped.
// libxml2 reads the text; the output is written anew from its tree, so nothing is ever passed through.
#pragma once
#include <string>
#include <string_view>

namespace recruiting::recruitctl {

/// Never throws for bad HTML. Sanitising twice gives the same text.
[[nodiscard]] std::string sanitize_html(std::string_view html);
/// Plain text: paragraphs and headings apart by an empty line, list items as "- ", white space collapsed.
[[nodiscard]] std::string html_to_text(std::string_view html);
/// Paragraphs of plain text as HTML.
[[nodiscard]] std::string text_to_html(std::string_view text);

} // namespace recruiting::recruitctl
