// Writes HTML straight into a page's buffer. Text and attribute values are escaped, elements close in their order.
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

class html_writer {
public:
    explicit html_writer(std::string& out) : out_(out) {}

    html_writer& open(std::string_view element, attributes with = {}) {
        write_tag(element, with);
        open_.push_back(element);
        return *this;
    }
    html_writer& close() {
        out_.append("</").append(open_.back()).append(">");
        open_.pop_back();
        return *this;
    }
    /// An element that has no content: meta, link, input, img, br.
    html_writer& empty(std::string_view element, attributes with = {}) {
        write_tag(element, with);
        return *this;
    }
    html_writer& element(std::string_view name, attributes with, std::string_view content) {
        return open(name, with).text(content).close();
    }
    html_writer& element(std::string_view name, std::string_view content) { return element(name, {}, content); }
    html_writer& text(std::string_view content) {
        html::append_escaped(out_, content);
        return *this;
    }
    /// HTML that is safe already: a sanitised description, or a part made by another writer.
    html_writer& markup(std::string_view safe) {
        out_ += safe;
        return *this;
    }

private:
    void write_tag(std::string_view element, attributes with) {
        out_.append("<").append(element);
        for (auto const& [name, value] : with) {
            if (!value) continue;
            out_.append(" ").append(name).append("=\"");
            html::append_escaped(out_, *value);
            out_ += '"';
        }
        out_ += '>';
    }

    std::string& out_;
    std::vector<std::string_view> open_;
};

} // namespace recruiting::public_api
