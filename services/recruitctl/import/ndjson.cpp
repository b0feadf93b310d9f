#include "core/text.hpp"
#include "recruitctl/import/bytes.hpp"
#include "recruitctl/import/json.hpp"

namespace recruiting::recruitctl {
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
    [[nodiscard]] std::uint64_t bytes_read() const noexcept override { return bytes_.bytes_read(); }

private:
    // The next line without its end, in text_; one that is too long is skipped, not held.
    bool next_line() {
        text_.clear();
        too_long_ = false;
        bool any = false;
        for (auto piece = bytes_.available(); !piece.empty(); piece = bytes_.available()) {
            any = true;
            auto const end = piece.find('\n');
            auto const part = piece.substr(0, end);
            if (text_.size() + part.size() > longest_record) too_long_ = true;
            if (!too_long_) text_ += part;
            bytes_.consume(end == std::string_view::npos ? part.size() : end + 1);
            if (end != std::string_view::npos) break;
        }
        if (any) ++line_;
        return any;
    }

    std::optional<problem> read_object(boost::json::object& fields) {
        if (too_long_) return problem{{}, "too_long", "the line is longer than 4 MiB"};
        if (!is_utf8(text_)) return problem{{}, "invalid_utf8", "the line is not UTF-8"};
        auto parsed = parser_.parse(trim(text_));
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

    import_bytes bytes_;
    json_text_parser parser_;
    std::string text_;
    std::uint64_t line_{0};
    bool too_long_{false};
};

} // namespace

std::unique_ptr<record_reader> read_ndjson(std::istream& from) { return std::make_unique<ndjson_reader>(from); }

} // namespace recruiting::recruitctl
