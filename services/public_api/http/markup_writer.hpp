// Writers of HTML and XML. They write straight into a buffer; text and attribute values are escaped, and elements close
// in their order.
#pragma once
#include "html/text.hpp"

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::public_api {

struct attribute {
    std::string_view name;                 // a literal
    std::optional<std::string_view> value; // nullopt: the attribute is left out; "" for one that is just there
};
using attributes = std::initializer_list<attribute>;

/// What both have in common. Writer: derived from this. Its append_escaped() says how text is escaped, its empty_end
/// how a tag without content ends.
template <class Writer>
class markup_writer {
public:
    explicit markup_writer(std::string& out) : out_(out) {}

    Writer& open(std::string_view element, attributes with = {}) {
        open_.push_back(element);
        return write_tag(element, with, ">");
    }
    Writer& close() {
        out_.append("</").append(open_.back()).append(">");
        open_.pop_back();
        return self();
    }
    /// An element that has no content.
    Writer& empty(std::string_view element, attributes with = {}) {
        return write_tag(element, with, Writer::empty_end);
    }
    Writer& text(std::string_view content) {
        Writer::append_escaped(out_, content);
        return self();
    }

protected:
    std::string& out_;

private:
    Writer& self() noexcept { return static_cast<Writer&>(*this); }
    Writer& write_tag(std::string_view element, attributes with, std::string_view end) {
        out_.append("<").append(element);
        for (auto const& [name, value] : with) {
            if (!value) continue;
            out_.append(" ").append(name).append("=\"");
            Writer::append_escaped(out_, *value);
            out_ += '"';
        }
        out_ += end;
        return self();
    }

    std::vector<std::string_view> open_;
};

class html_writer : public markup_writer<html_writer> {
public:
    using markup_writer::markup_writer;
    static constexpr std::string_view empty_end = ">";
    static void append_escaped(std::string& out, std::string_view text) { html::append_escaped(out, text); }

    html_writer& element(std::string_view name, attributes with, std::string_view content) {
        return open(name, with).text(content).close();
    }
    html_writer& element(std::string_view name, std::string_view content) { return element(name, {}, content); }
    /// HTML that is safe already: a sanitised description, or a part made by another writer.
    html_writer& markup(std::string_view safe) {
        out_ += safe;
        return *this;
    }
};

/// XML 1.0 whatever strangers put into a job: the characters that XML can't hold (section 2.2: control characters,
/// U+FFFE and U+FFFF) are left out, the rest is escaped. Text is UTF-8.
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
