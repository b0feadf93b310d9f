// What writers of HTML and XML have in common. They write straight into a buffer; text and attribute values are
// escaped, and elements close in their order.
#pragma once
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

/// Writer: derived from this. Its append_escaped() says how text is escaped, its empty_end how a tag without content
/// ends.
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

} // namespace recruiting::public_api
