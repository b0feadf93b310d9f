#include "html/tree.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <array>

namespace recruiting::html {
namespace {

constexpr std::size_t longest = std::size_t{1} << 20U;
constexpr int most_attributes = 200; // libxml2 compares each with all before it

constexpr std::array<std::string_view, 24> dropped = {
    "script",   "style",    "head",   "title", "iframe", "object",  "embed",    "template",
    "noscript", "textarea", "select", "svg",   "math",   "noembed", "noframes", "xmp",
    "applet",   "frameset", "audio",  "video", "canvas", "button",  "datalist", "plaintext"};

constexpr std::array<std::string_view, 47> blocks = {
    "p",        "ul",       "ol",     "li",         "h1",      "h2",     "h3",      "h4",    "h5",      "h6",
    "div",      "section",  "main",   "article",    "aside",   "header", "footer",  "nav",   "address", "blockquote",
    "pre",      "table",    "tr",     "td",         "th",      "tbody",  "thead",   "tfoot", "caption", "dl",
    "dt",       "dd",       "figure", "figcaption", "details", "center", "summary", "form",  "legend",  "hr",
    "fieldset", "optgroup", "menu",   "dir",        "body",    "html",   "dialog"};

bool is_blank(char c) noexcept { return c == ' ' || (c >= '\t' && c <= '\r'); }

// From behind a tag's name: where its '>' stands, or npos when it has too many attributes or no end. A quote counts
// behind '=' only, as libxml2 reads it.
std::size_t end_of_tag(std::string_view html, std::size_t at) {
    int attributes = 0;
    for (; at < html.size(); ++at) {
        char const c = html[at];
        if (c == '>') return at;
        if ((is_blank(c) || c == '=') && ++attributes > 2 * most_attributes) return std::string_view::npos;
        if (c != '=') continue;
        while (at + 1 < html.size() && is_blank(html[at + 1])) ++at;
        if (at + 1 >= html.size() || (html[at + 1] != '"' && html[at + 1] != '\'')) continue;
        at = html.find(html[at + 1], at + 2);
        if (at == std::string_view::npos) return at;
    }
    return std::string_view::npos;
}

// The part that is read in linear time.
std::string_view bounded(std::string_view html) {
    if (html.size() > longest) {
        auto end = longest;
        while (is_utf8_continuation(html[end])) --end;
        html = html.substr(0, end);
    }
    for (auto at = html.find('<'); at != std::string_view::npos; at = html.find('<', at + 1)) {
        char const first = at + 1 < html.size() ? static_cast<char>(html[at + 1] | 0x20) : '\0';
        if (first < 'a' || first > 'z') continue;
        auto const end = end_of_tag(html, at + 1);
        if (end == std::string_view::npos) return html.substr(0, at);
        at = end;
    }
    return html;
}

std::string in_ascii(std::string_view text) {
    std::string out(text);
    std::replace_if(
        out.begin(), out.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x80; }, '?');
    return out;
}

} // namespace

bool is_dropped(std::string_view element) { return std::ranges::find(dropped, element) != dropped.end(); }
bool is_block(std::string_view element) { return std::ranges::find(blocks, element) != blocks.end(); }

document parse(std::string_view html) {
    // No network, no complaints on stderr, and no charset out of the text itself: it is UTF-8.
    constexpr int options = HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_NONET |
                            HTML_PARSE_NODEFDTD | HTML_PARSE_IGNORE_ENC;
    static bool const ready = (xmlInitParser(), true);
    static_cast<void>(ready);
    html = bounded(html);
    auto const repaired = is_utf8(html) ? std::string() : in_ascii(html); // libxml2 would pass bad bytes on
    if (!repaired.empty()) html = repaired;
    return document{htmlReadMemory(html.data(), static_cast<int>(html.size()), nullptr, "UTF-8", options)};
}

} // namespace recruiting::html
