#include "auth_api/background/mail/letter.hpp"

#include "core/text.hpp"
#include "html/text.hpp"
#include "mail/encodings.hpp"

#include <algorithm>

namespace recruiting::auth_api::mailing {
namespace {

using mail::harmless_line;

// Colours have a contrast of 7 to 1 and more on white.
constexpr std::string_view html_begin =
    "<body style=\"margin:0;padding:24px;background:#ffffff;color:#1a1a1a;"
    "font-family:Arial,Helvetica,sans-serif;font-size:16px;line-height:1.5\">\n<div style=\"max-width:600px\">\n";

std::string anchor(std::string const& address, std::string_view text) {
    return "<a href=\"" + html::escaped(address) + "\" style=\"color:#0b4f9e\">" + html::escaped(text) + "</a>";
}

// How wide a text is in columns of a terminal: letters of one and, from U+3000 on, of two.
std::size_t display_width(std::string_view text) {
    std::size_t wide = 0;
    for (char const c : text)
        if (!is_utf8_continuation(c)) wide += static_cast<unsigned char>(c) >= 0xE3U ? 2 : 1;
    return wide;
}

struct text_writer {
    std::string_view label_end;
    std::string out;

    void operator()(paragraph const& one) { out += harmless_line(one.text) + "\n\n"; }
    void operator()(std::vector<fact> const& facts) {
        std::size_t width = 0;
        for (auto const& one : facts) width = std::max(width, display_width(one.label));
        for (auto const& one : facts)
            out.append(one.label).append(label_end).append(width + 1 - display_width(one.label), ' ') +=
                harmless_line(one.value) + "\n";
        out += "\n";
    }
    void operator()(link const& one) {
        out.append(one.text).append(label_end) += "\n" + harmless_line(one.address) + "\n\n";
    }
};

struct html_writer {
    std::string_view label_end;
    std::string out;

    void operator()(paragraph const& one) {
        out += "<p dir=\"auto\">" + html::escaped(harmless_line(one.text)) + "</p>\n";
    }
    void operator()(std::vector<fact> const& facts) {
        out += "<p>";
        for (std::size_t i = 0; i < facts.size(); ++i) {
            auto const value = harmless_line(facts[i].value);
            if (i > 0) out += "<br>\n";
            out += "<strong>" + html::escaped(facts[i].label) + std::string(label_end) + "</strong> ";
            out += facts[i].is_address ? anchor(value, value) : "<bdi>" + html::escaped(value) + "</bdi>";
        }
        out += "</p>\n";
    }
    void operator()(link const& one) { out += "<p>" + anchor(harmless_line(one.address), one.text) + "</p>\n"; }
};

} // namespace

std::string to_text(letter const& what) {
    text_writer writer{what.label_end, {}};
    for (auto const& one : what.blocks) std::visit(writer, one);
    writer.out.pop_back(); // the empty line after the last
    return writer.out;
}

std::string to_html(letter const& what) {
    html_writer writer{what.label_end, {}};
    auto const title = html::escaped(harmless_line(what.subject));
    writer.out = "<!DOCTYPE html>\n<html lang=\"" + std::string(what.language) +
                 "\">\n<head>\n<meta charset=\"utf-8\">\n"
                 "<meta name=\"viewport\" content=\"width=device-width\">\n<title>" +
                 title + "</title>\n</head>\n" + std::string(html_begin) +
                 "<h1 dir=\"auto\" style=\"font-size:20px;line-height:1.3\">" + title + "</h1>\n";
    for (auto const& one : what.blocks) std::visit(writer, one);
    return writer.out + "</div>\n</body>\n</html>\n";
}

} // namespace recruiting::auth_api::mailing
