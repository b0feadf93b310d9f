// A mail's text once, written twice: as plain text and as HTML. The HTML is made for mail programs: tables and inline
// styles, and a style sheet only for what may be missing (dark colours, narrow screens). Its one image is the logo.
// Pure.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace recruiting::auth_api::mailing {

// Whose mail it is.
struct brand {
    std::string name;
    std::optional<std::string> logo_url; // shown only if it begins with https://
    std::optional<std::string> accent;   // "#rrggbb"
};

struct paragraph {
    std::string text;
    bool is_note{false}; // in small text
};
// A row of a table: "When", and the time.
struct fact {
    std::string_view label;
    std::string value;
    std::string_view link_text{}; // not empty: value is an address, and HTML shows this instead
};
struct link {
    std::string_view text; // "Move or cancel the interview"
    std::string address;
};
// What the reader is to do: a button.
struct main_link : link {};
// A label and links in one line; without a label, one link.
struct links {
    std::string_view label;
    std::vector<link> choices;
};
using block = std::variant<paragraph, std::vector<fact>, main_link, links>;

struct letter {
    std::string_view language;  // as in <html lang>
    std::string_view label_end; // after a fact's label
    std::string subject;
    brand from;
    std::string preview; // what a mail program shows beside the subject
    std::vector<block> blocks;
    std::vector<std::string> footer;
};

[[nodiscard]] std::string to_text(letter const& what);
[[nodiscard]] std::string to_html(letter const& what);

} // namespace recruiting::auth_api::mailing
