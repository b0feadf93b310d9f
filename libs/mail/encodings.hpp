// How MIME carries what is not short plain ASCII: base64, quoted-printable (RFC 2045), encoded words (RFC 2047). Pure.
#pragma once
#include <string>
#include <string_view>

namespace recruiting::mail {

// Text of strangers (names, titles) made fit to stand in a mail: no controls, nothing that turns the reading direction
// of what follows around, well-formed UTF-8. Pure; the writers of this folder use it for every text they are given.

/// One line without white space at its ends: line ends and tabs are spaces.
[[nodiscard]] std::string harmless_line(std::string_view text);
/// Line ends stay, each as "\n".
[[nodiscard]] std::string harmless_text(std::string_view text);

/// RFC 4648 section 4, in one piece.
[[nodiscard]] std::string to_base64(std::string_view bytes);
/// In lines of 76, each with its CRLF.
[[nodiscard]] std::string to_base64_lines(std::string_view bytes);
/// A text of lines that end with "\n"; given back with CRLF, no line longer than 76, ending with a CRLF.
[[nodiscard]] std::string to_quoted_printable(std::string_view text);

/// A header field of free text ("Subject"), folded, with its CRLF. name has at most 11 letters.
[[nodiscard]] std::string text_field(std::string_view name, std::string_view text);
/// A name before an address: a quoted string, or encoded words on lines of their own.
[[nodiscard]] std::string phrase(std::string_view name);

/// A quoted-string (RFC 5322 section 3.2.4).
[[nodiscard]] std::string quoted_string(std::string_view content);
/// The content of a quoted-string; another text as it is.
[[nodiscard]] std::string unquoted(std::string_view text);

} // namespace recruiting::mail
