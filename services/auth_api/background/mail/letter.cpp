#include "auth_api/background/mail/letter.hpp"

#include "core/text.hpp"
#include "html/accent.hpp"
#include "html/text.hpp"
#include "mail/encodings.hpp"

#include <algorithm>

namespace recruiting::auth_api::mailing {
namespace {

using mail::harmless_line;

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

    void write(link const& one) { out.append(one.text).append(label_end) += "\n" + harmless_line(one.address) + "\n"; }

    void operator()(paragraph const& one) { out += harmless_line(one.text) + "\n\n"; }
    void operator()(std::vector<fact> const& facts) {
        std::size_t width = 0;
        for (auto const& one : facts) width = std::max(width, display_width(one.label));
        for (auto const& one : facts)
            out.append(one.label).append(label_end).append(width + 1 - display_width(one.label), ' ') +=
                harmless_line(one.value) + "\n";
        out += "\n";
    }
    void operator()(main_link const& one) {
        write(one);
        out += "\n";
    }
    void operator()(links const& some) {
        if (!some.label.empty()) out.append(some.label).append("\n");
        for (auto const& one : some.choices) write(one);
        out += "\n";
    }
};

// Light colours stand in each element, for programs that drop style sheets; dark ones only here. Contrast with the
// paper is 7 to 1 and more, of the accent 4.5 and more (libs/html/accent.hpp).
constexpr std::string_view font = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
constexpr std::string_view ink = "#1a1d21";
constexpr std::string_view soft_ink = "#50575f";
constexpr std::string_view line_color = "#dfe3e8";
constexpr std::string_view default_accent = "#0b4f9e";

std::string style_sheet(html::accent_shades const& accent) {
    auto const paper = std::string(html::dark_paper);
    auto const& dark = accent.on_dark;
    return ":root{color-scheme:light dark;supported-color-schemes:light dark}\n"
           "@media (max-width:620px){.page{padding:0!important}.card{border:0!important;border-radius:0!important}"
           ".part{padding-left:20px!important;padding-right:20px!important}}\n"
           "@media (prefers-color-scheme:dark){body,.page{background:#0c0e11!important}.card{background:" +
           paper +
           "!important;border-color:#2c323a!important}.ink{color:#eceff3!important}.soft{color:#aab3bd!important}"
           ".line{border-color:#2c323a!important}.logo{background:#ffffff!important}.link{color:" +
           dark.color + "!important}.button{background:" + dark.color + "!important}.button a{color:" + dark.text +
           "!important}}\n";
}

std::string styled(std::string_view classes, std::string_view style) {
    return " class=\"" + std::string(classes) + "\" style=\"" + std::string(style) + "\"";
}

class html_letter_writer {
public:
    html_letter_writer(letter const& of, html::accent_shades accent) : of_(of), accent_(std::move(accent)) {}

    std::string written() {
        write_head();
        write_banner();
        for (auto const& one : of_.blocks) std::visit(*this, one);
        write_footer();
        return std::move(out_);
    }

    void operator()(paragraph const& one) {
        auto const style = one.is_note ? "margin:0 0 12px;font-size:14px;line-height:1.5;color:" + std::string(soft_ink)
                                       : "margin:0 0 16px;color:" + std::string(ink);
        out_ += "<p dir=\"auto\"" + styled(one.is_note ? "soft" : "ink", style) + ">" + shown(one.text) + "</p>\n";
    }
    void operator()(std::vector<fact> const& facts) {
        out_ += "<table role=\"presentation\" width=\"100%\" cellpadding=\"0\" cellspacing=\"0\" border=\"0\" "
                "style=\"width:100%;margin:0 0 20px;border-collapse:collapse\">\n";
        for (auto const& one : facts) write_row(one);
        out_ += "</table>\n";
    }
    // Outlook pads the cell (mso-padding-alt), all others the link, so that the whole button can be clicked.
    void operator()(main_link const& one) {
        auto const& color = accent_.on_light;
        out_ +=
            "<table role=\"presentation\" cellpadding=\"0\" cellspacing=\"0\" border=\"0\" style=\"margin:0 0 20px\">"
            "<tr><td bgcolor=\"" +
            color.color + "\"" +
            styled("button", "border-radius:6px;background:" + color.color + ";mso-padding-alt:12px 22px") +
            "><a href=\"" + html::escaped(harmless_line(one.address)) +
            "\" style=\"display:inline-block;padding:12px 22px;font-weight:600;text-decoration:none;color:" +
            color.text + "\">" + html::escaped(one.text) + "</a></td></tr></table>\n";
    }
    void operator()(links const& some) {
        out_ += "<p" + styled("ink", "margin:0 0 20px;color:" + std::string(ink)) + ">";
        if (!some.label.empty())
            out_ += "<span" + styled("soft", "color:" + std::string(soft_ink)) + ">" + html::escaped(some.label) +
                    std::string(of_.label_end) + "</span> ";
        for (std::size_t i = 0; i < some.choices.size(); ++i) {
            if (i > 0) out_ += " &middot; ";
            write_anchor(some.choices[i].address, some.choices[i].text);
        }
        out_ += "</p>\n";
    }

private:
    static std::string shown(std::string_view text) { return html::escaped(harmless_line(text)); }

    void write_head() {
        auto const title = shown(of_.subject);
        out_ = "<!DOCTYPE html>\n<html lang=\"" + std::string(of_.language) +
               "\" dir=\"ltr\">\n<head>\n<meta charset=\"utf-8\">\n"
               "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
               "<meta name=\"color-scheme\" content=\"light dark\">\n"
               "<meta name=\"supported-color-schemes\" content=\"light dark\">\n<title>" +
               title + "</title>\n<style>\n" + style_sheet(accent_) +
               "</style>\n</head>\n<body style=\"margin:0;padding:0;background:#f2f4f6\">\n"
               "<div style=\"display:none;max-height:0;overflow:hidden;mso-hide:all\">" +
               shown(of_.preview) +
               "</div>\n<table role=\"presentation\" width=\"100%\" cellpadding=\"0\" cellspacing=\"0\" border=\"0\"" +
               styled("page", "width:100%;padding:32px 12px;background:#f2f4f6;" + std::string(font) +
                                  ";font-size:16px;line-height:1.5") +
               "><tr><td align=\"center\">\n<table role=\"presentation\" width=\"600\" cellpadding=\"0\" "
               "cellspacing=\"0\" border=\"0\"" +
               styled("card", "width:100%;max-width:600px;border:1px solid " + std::string(line_color) +
                                  ";border-radius:10px;background:#ffffff;text-align:left") +
               ">\n";
    }
    void write_banner() {
        auto const name = shown(of_.from.name);
        out_ += "<tr><td" +
                styled("part line", "padding:20px 32px;border-bottom:1px solid " + std::string(line_color)) +
                "><table role=\"presentation\" cellpadding=\"0\" cellspacing=\"0\" border=\"0\"><tr>";
        auto const logo = harmless_line(of_.from.logo_url.value_or(std::string()));
        if (logo.starts_with("https://"))
            out_ += "<td" + styled("logo", "padding:4px;border-radius:6px") + "><img src=\"" + html::escaped(logo) +
                    "\" alt=\"" + name +
                    "\" height=\"32\" style=\"display:block;height:32px;width:auto;max-width:200px;border:0\"></td>"
                    "<td style=\"width:12px\"></td>";
        out_ +=
            "<td" + styled("ink", "font-weight:600;color:" + std::string(ink)) + "><bdi>" + name +
            "</bdi></td></tr></table></td></tr>\n<tr><td" + styled("part", "padding:28px 32px 12px") +
            ">\n<h1 dir=\"auto\"" +
            styled("ink", "margin:0 0 16px;font-size:22px;line-height:1.3;font-weight:600;color:" + std::string(ink)) +
            ">" + shown(of_.subject) + "</h1>\n";
    }
    void write_row(fact const& one) {
        auto const line = "padding:8px 0;border-top:1px solid " + std::string(line_color) + ";vertical-align:top;";
        out_ += "<tr><td width=\"104\"" +
                styled("soft line",
                       line + "padding-right:16px;font-size:14px;line-height:24px;color:" + std::string(soft_ink)) +
                ">" + html::escaped(one.label) + "</td><td" +
                styled("ink line", line + "line-height:24px;color:" + std::string(ink)) + ">";
        if (one.link_text.empty()) out_ += "<bdi>" + shown(one.value) + "</bdi>";
        else write_anchor(one.value, one.link_text);
        out_ += "</td></tr>\n";
    }
    void write_anchor(std::string_view address, std::string_view text) {
        out_ += "<a href=\"" + html::escaped(harmless_line(address)) + "\"" +
                styled("link", "color:" + accent_.on_light.color) + ">" + html::escaped(text) + "</a>";
    }
    void write_footer() {
        if (!of_.footer.empty()) write_footer_row();
        out_ += "</td></tr>\n</table>\n</td></tr></table>\n</body>\n</html>\n";
    }
    void write_footer_row() {
        out_ += "</td></tr>\n<tr><td" +
                styled("part line soft", "padding:16px 32px 20px;border-top:1px solid " + std::string(line_color) +
                                             ";font-size:13px;line-height:1.5;color:" + std::string(soft_ink)) +
                ">";
        for (std::size_t i = 0; i < of_.footer.size(); ++i) {
            if (i > 0) out_ += "<br>\n";
            out_ += "<bdi>" + shown(of_.footer[i]) + "</bdi>";
        }
    }

    letter const& of_;
    html::accent_shades accent_;
    std::string out_;
};

} // namespace

std::string to_text(letter const& what) {
    text_writer writer{what.label_end, {}};
    for (auto const& one : what.blocks) std::visit(writer, one);
    for (auto const& one : what.footer) writer(paragraph{one});
    writer.out.pop_back(); // the empty line after the last
    return writer.out;
}

std::string to_html(letter const& what) {
    auto accent = html::shades_of(what.from.accent.value_or(std::string()));
    if (!accent) accent = html::shades_of(default_accent);
    return html_letter_writer(what, *std::move(accent)).written();
}

} // namespace recruiting::auth_api::mailing
