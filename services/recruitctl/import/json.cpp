// JSON texts, and NDJSON made of them.
#include "core/text.hpp"
#include "recruitctl/import/record.hpp"

#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/value_stack.hpp>
#include <cmath>
#include <istream>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace recruiting::recruitctl {
namespace {

namespace json = boost::json;
using code = boost::system::error_code;

// Boost.JSON's own parser keeps the last of two equal names and turns 1e400 into infinity; this handler builds the
// same values from the same events and refuses both.
struct strict_handler {
    static constexpr std::size_t max_object_size = std::size_t(-1);
    static constexpr std::size_t max_array_size = std::size_t(-1);
    static constexpr std::size_t max_key_size = std::size_t(-1);
    static constexpr std::size_t max_string_size = std::size_t(-1);

    json::value_stack values;
    std::vector<std::set<std::string, std::less<>>> names; // of the objects being read, outermost first
    std::size_t depth{0};
    std::string key;
    problem refused;

    void reset() {
        values.reset();
        depth = 0;
        key.clear();
        refused = {};
    }
    bool refuse(std::string reason, std::string message, code& error) {
        refused = {{}, std::move(reason), std::move(message)};
        error = json::error::syntax;
        return false;
    }

    bool on_document_begin(code&) { return true; }
    bool on_document_end(code&) { return true; }
    bool on_array_begin(code&) { return true; }
    bool on_array_end(std::size_t count, code&) {
        values.push_array(count);
        return true;
    }
    bool on_object_begin(code&) {
        if (names.size() == depth) names.emplace_back();
        names[depth++].clear();
        return true;
    }
    bool on_object_end(std::size_t count, code&) {
        --depth;
        values.push_object(count);
        return true;
    }
    bool on_key_part(json::string_view part, std::size_t, code&) {
        key += part;
        return true;
    }
    bool on_key(json::string_view part, std::size_t, code& error) {
        key += part;
        if (!names[depth - 1].insert(key).second)
            return refuse("duplicate_field", "the field " + in_quotes(key) + " is given twice", error);
        values.push_key(key);
        key.clear();
        return true;
    }
    bool on_string_part(json::string_view part, std::size_t, code&) {
        values.push_chars(part);
        return true;
    }
    bool on_string(json::string_view part, std::size_t, code&) {
        values.push_string(part);
        return true;
    }
    bool on_number_part(json::string_view, code&) { return true; }
    bool on_int64(std::int64_t number, json::string_view, code&) {
        values.push_int64(number);
        return true;
    }
    bool on_uint64(std::uint64_t number, json::string_view, code&) {
        values.push_uint64(number);
        return true;
    }
    // The parser's own number can differ in the last digit, which an amount would show.
    bool on_double(double number, json::string_view text, code& error) {
        if (!std::isfinite(number)) return refuse("invalid_json", "a number is out of range", error);
        values.push_double(parse_number<double>(text).value_or(number));
        return true;
    }
    bool on_bool(bool flag, code&) {
        values.push_bool(flag);
        return true;
    }
    bool on_null(code&) {
        values.push_null();
        return true;
    }
    bool on_comment_part(json::string_view, code&) { return true; }
    bool on_comment(json::string_view, code&) { return true; }
};

} // namespace

std::string in_quotes(std::string_view text) {
    std::string out;
    append_json_string(out, text);
    return out;
}

std::variant<json::value, problem> parse_json(std::string_view text) {
    thread_local json::basic_parser<strict_handler> parser{json::parse_options{}}; // keeps its memory for the next line
    parser.reset();
    parser.handler().reset();
    code error;
    auto const taken = parser.write_some(false, text.data(), text.size(), error);
    if (!error && trim(text.substr(taken)).empty()) return parser.handler().values.release();
    auto const& refused = parser.handler().refused;
    if (!refused.reason.empty()) return refused;
    return problem{
        {}, "invalid_json", error ? "not JSON: " + error.message() : "not JSON: something follows the value"};
}

namespace {

class ndjson_reader final : public record_reader {
public:
    explicit ndjson_reader(std::istream& from) : bytes_(from) {}

    [[nodiscard]] bool next(record& into) override {
        while (next_line()) {
            if (!too_long_ && trim(text_).empty()) continue;
            into.line = line_;
            into.textual = false;
            into.fields.clear();
            into.problems.clear();
            if (auto wrong = read_object(into.fields)) into.problems.push_back(std::move(*wrong));
            return true;
        }
        return false;
    }

private:
    // The next line without its end, in text_; what is too long is skipped, not held.
    bool next_line() {
        text_.clear();
        too_long_ = false;
        if (bytes_.sgetc() == std::char_traits<char>::eof()) return false;
        for (auto c = bytes_.sbumpc(); c != '\n' && c != std::char_traits<char>::eof(); c = bytes_.sbumpc()) {
            too_long_ = text_.size() == longest_record;
            if (!too_long_) text_ += std::char_traits<char>::to_char_type(c);
        }
        ++line_;
        return true;
    }

    std::optional<problem> read_object(boost::json::object& fields) {
        if (too_long_) return problem{{}, "too_long", "the line is longer than 4 MiB"};
        if (!is_utf8(text_)) return problem{{}, "invalid_utf8", "the line is not UTF-8"};
        auto parsed = parse_json(trim(text_));
        if (auto* wrong = std::get_if<problem>(&parsed)) {
            // The commonest mistake: a JSON array over many lines.
            if (line_ == 1 && text_.starts_with('['))
                wrong->message += " (NDJSON is one object a line, without [ and ,)";
            return *wrong;
        }
        auto& value = std::get<boost::json::value>(parsed);
        if (!value.is_object()) return problem{{}, "invalid_json", "the line is not a JSON object"};
        fields = std::move(value.get_object());
        return std::nullopt;
    }

    text_buffer bytes_;
    std::string text_;
    std::uint64_t line_{0};
    bool too_long_{false};
};

} // namespace

std::unique_ptr<record_reader> read_ndjson(std::istream& from) { return std::make_unique<ndjson_reader>(from); }

} // namespace recruiting::recruitctl
