#include "audit/seal.hpp"

#include "core/text.hpp"

namespace recruiting::audit {
namespace {

class lines {
public:
    explicit lines(std::string& out) : out_(out) {}

    void add(std::string_view name, std::string_view value) {
        out_ += name;
        out_ += '=';
        append_number(out_, value.size());
        out_ += ':';
        out_ += value;
        out_ += '\n';
    }
    void add(std::string_view name, bool value) { add(name, value ? std::string_view("true") : "false"); }
    void add(std::string_view name, std::int64_t value) {
        text_.clear();
        append_number(text_, value);
        add(name, text_);
    }
    void add(std::string_view name, uuid const& value) {
        text_.clear();
        append_id(text_, value);
        add(name, text_);
    }
    void add(std::string_view name, timestamp value) { add(name, std::string_view(format_time_micros(value))); }
    template <class T>
    void add(std::string_view name, std::optional<T> const& value) {
        if (value) return add(name, *value);
        out_ += name;
        out_ += "=-\n";
    }

private:
    std::string& out_;
    std::string text_;
};

} // namespace

void append_canonical(std::string& out, stored_event const& row, std::int64_t sequence) {
    out += row.request_count ? "recruiting.audit/2\n" : "recruiting.audit/1\n";
    lines line(out);
    line.add("sequence", sequence);
    for_each_column(row, [&](std::string_view name, auto const& column) {
        if (name != "request_count" || row.request_count) line.add(name, column);
    });
}

digest chain_hash(std::string_view previous_hash, stored_event const& row, std::int64_t sequence,
                  std::string& scratch) {
    scratch.assign(previous_hash);
    append_canonical(scratch, row, sequence);
    return sha256(scratch);
}

} // namespace recruiting::audit
