// Writes XML 1.0 whatever strangers put into a job: what XML can't hold at all is left out, the rest is escaped.
#pragma once
#include "public_api/http/markup_writer.hpp"

namespace recruiting::public_api {

/// text without the characters XML 1.0 can't hold (section 2.2): control characters, U+FFFE and U+FFFF. text is UTF-8.
[[nodiscard]] std::string xml_text(std::string_view text);

class xml_writer : public markup_writer<xml_writer> {
public:
    using markup_writer::markup_writer;
    static constexpr std::string_view empty_end = "/>";
    static void append_escaped(std::string& out, std::string_view text);

    xml_writer& declaration();
    /// Writes nothing at all if text is "".
    xml_writer& element(std::string_view name, std::string_view text);
    /// HTML as readers of feeds expect it: not marked up, in CDATA sections.
    xml_writer& cdata(std::string_view element, std::string_view text);
};

} // namespace recruiting::public_api
