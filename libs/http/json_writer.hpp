// Writes JSON text straight into an answer's buffer: no tree, no copies (measured: most of a list's cost elsewhere).
// Commas come by themselves. Field names are literals of ours and are not escaped; values are.
#pragma once
#include "core/ids.hpp"
#include "core/text.hpp"
#include "core/time.hpp"

#include <concepts>
#include <optional>
#include <string>
#include <string_view>

namespace recruiting::http {

class json_writer {
public:
    explicit json_writer(std::string& out) : out_(out) {}

    json_writer& open_object() { return open('{'); }
    json_writer& close_object() { return close('}'); }
    json_writer& open_array() { return open('['); }
    json_writer& close_array() { return close(']'); }
    json_writer& key(std::string_view name) {
        char* at = extend_separated(name.size() + 3);
        *at++ = '"';
        at += name.copy(at, name.size());
        *at++ = '"';
        *at = ':';
        return *this;
    }

    json_writer& value(std::string_view text) {
        separate();
        append_json_string(out_, text);
        return *this;
    }
    json_writer& value(char const* text) { return value(std::string_view(text)); }
    json_writer& value(bool flag) { return raw(flag ? "true" : "false"); }
    json_writer& value(std::integral auto number) {
        separate();
        append_number(out_, number);
        return *this;
    }
    json_writer& value(uuid const& id) {
        char* const at = extend_separated(uuid_text_size + 2);
        *at = '"';
        *write_id(at + 1, id) = '"';
        return *this;
    }
    json_writer& value(timestamp time) {
        separate();
        out_ += '"';
        append_time(out_, time);
        out_ += '"';
        return *this;
    }
    template <class T>
    json_writer& value(std::optional<T> const& maybe) {
        return maybe ? value(*maybe) : null();
    }
    json_writer& null() { return raw("null"); }
    /// JSON text made elsewhere (a jsonb column).
    json_writer& raw(std::string_view json) {
        separate();
        out_ += json;
        return *this;
    }

    template <class T>
    json_writer& field(std::string_view name, T const& what) {
        key(name);
        return value(what);
    }

private:
    json_writer& open(char bracket) {
        separate();
        out_ += bracket;
        return *this;
    }
    json_writer& close(char bracket) {
        out_ += bracket;
        return *this;
    }
    // The last character decides whether a comma is due: no value ends with one of these.
    [[nodiscard]] bool is_comma_due() const noexcept {
        if (out_.empty()) return false;
        char const last = out_.back();
        return last != '{' && last != '[' && last != ':' && last != '\n';
    }
    void separate() {
        if (is_comma_due()) out_ += ',';
    }
    // Where the next size characters are to be written.
    [[nodiscard]] char* extend_separated(std::size_t size) {
        if (!is_comma_due()) return extend(out_, size);
        char* const at = extend(out_, size + 1);
        *at = ',';
        return at + 1;
    }
    std::string& out_;
};

} // namespace recruiting::http
