// Writes XML 1.0 whatever strangers put into a job: what XML can't hold at all is left out, the rest is escaped.
#pragma once
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace recruiting::public_api {

class xml_writer {
public:
    using attributes = std::initializer_list<std::pair<std::string_view, std::string_view>>;

    explicit xml_writer(std::string& out) : out_(out) {}

    xml_writer& declaration();
    xml_writer& open(std::string_view element, attributes with = {});
    xml_writer& text(std::string_view text);
    xml_writer& close();
    xml_writer& empty(std::string_view element, attributes with);
    /// Nothing at all is written for "".
    xml_writer& element(std::string_view name, std::string_view text);
    /// HTML as readers of feeds expect it: not marked up, in CDATA sections.
    xml_writer& cdata(std::string_view element, std::string_view text);

private:
    void write_tag(std::string_view element, attributes with, std::string_view end);

    std::string& out_;
    std::vector<std::string_view> open_;
};

/// text without the characters XML 1.0 can't hold (section 2.2): control characters, U+FFFE and U+FFFF. text is UTF-8.
[[nodiscard]] std::string xml_text(std::string_view text);

} // namespace recruiting::public_api
