// Writes the HTML of a page.
#pragma once
#include "html/text.hpp"
#include "public_api/http/markup_writer.hpp"

namespace recruiting::public_api {

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

} // namespace recruiting::public_api
