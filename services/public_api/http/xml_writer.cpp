#include "public_api/http/markup_writer.hpp"

#include <algorithm>

namespace recruiting::public_api {
namespace {

bool is_control(char c) noexcept { return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r'; }

// U+FFFE or U+FFFF in UTF-8 at the beginning of text.
bool is_no_character(std::string_view text) noexcept {
    return text.starts_with("\xEF\xBF\xBE") || text.starts_with("\xEF\xBF\xBF");
}

// Whether text, like nearly all text, has nothing that XML lacks.
bool is_xml(std::string_view text) noexcept {
    return std::none_of(text.begin(), text.end(), [](char c) { return is_control(c) || c == '\xEF'; });
}

std::string xml_text(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        if (text[at] == '\xEF' && is_no_character(text.substr(at, 3))) {
            at += 3;
            continue;
        }
        if (!is_control(text[at])) out += text[at];
        ++at;
    }
    return out;
}

} // namespace

void xml_writer::append_escaped(std::string& out, std::string_view text) {
    if (is_xml(text)) html::append_escaped(out, text);
    else html::append_escaped(out, xml_text(text));
}

xml_writer& xml_writer::declaration() {
    out_ += "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    return *this;
}

xml_writer& xml_writer::element(std::string_view name, std::string_view text) {
    if (text.empty()) return *this;
    return open(name).text(text).close();
}

xml_writer& xml_writer::cdata(std::string_view element, std::string_view text) {
    if (text.empty()) return *this;
    open(element);
    out_ += "<![CDATA[";
    bool const is_clean = is_xml(text);
    auto const cleaned = is_clean ? std::string() : xml_text(text);
    std::string_view rest = is_clean ? text : std::string_view(cleaned);
    // "]]>", which would end the section, is split between two sections.
    for (auto end = rest.find("]]>"); end != std::string_view::npos; end = rest.find("]]>")) {
        out_.append(rest.substr(0, end + 2)).append("]]><![CDATA[");
        rest.remove_prefix(end + 2);
    }
    out_.append(rest).append("]]>");
    return close();
}

} // namespace recruiting::public_api
