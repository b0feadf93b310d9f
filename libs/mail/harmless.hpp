// Text of strangers (names, titles) made fit to stand in a mail: no controls, nothing that turns the reading direction
// of what follows around, well-formed UTF-8. Pure; the writers of this folder use it for every text they are given.
#pragma once
#include <string>
#include <string_view>

namespace recruiting::mail {

/// How many bytes the character at the front takes (RFC 3629); 0: they are no character.
[[nodiscard]] std::size_t character_size(std::string_view text) noexcept;

/// One line without white space at its ends: line ends and tabs are spaces.
[[nodiscard]] std::string harmless_line(std::string_view text);
/// Line ends stay, each as "\n".
[[nodiscard]] std::string harmless_text(std::string_view text);

} // namespace recruiting::mail
