// A mail's text once, written twice: as plain text and as HTML that needs no image and no style sheet. Pure.
#pragma once
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace recruiting::auth_api::mailing {

// A line of its own; a fact that is an address can be followed.
struct fact {
    std::string_view label; // "When"
    std::string value;
    bool is_address{false};
};
struct paragraph {
    std::string text;
};
struct link {
    std::string_view text; // "Move or cancel the interview"
    std::string address;
};
using block = std::variant<paragraph, std::vector<fact>, link>;

struct letter {
    std::string_view language;  // as in <html lang>
    std::string_view label_end; // after a fact's label
    std::string subject;
    std::vector<block> blocks;
};

[[nodiscard]] std::string to_text(letter const& what);
[[nodiscard]] std::string to_html(letter const& what);

} // namespace recruiting::auth_api::mailing
