#include "core/text.hpp"
#include "recruitctl/import/csv_rows.hpp"
#include "recruitctl/import/json.hpp"

#include <algorithm>

namespace recruiting::recruitctl {
namespace {

namespace json = boost::json;

std::string in_quotes_or_note(std::string_view text) {
    std::string out;
    append_json_string(out, is_utf8(text) ? text : "(not UTF-8)");
    return out;
}

class csv_reader final : public record_reader {
public:
    csv_reader(std::istream& from, import_kind kind) : rows_(from) {
        if (!rows_.next()) throw std::runtime_error("the file is empty: its first line must name the columns");
        for (auto const& cell : rows_.cells()) columns_.emplace_back(trim(cell));
        check_head(csv_columns(kind));
    }

    [[nodiscard]] bool next(record& into) override {
        if (!rows_.next()) return false;
        into.line = rows_.line();
        into.textual = true;
        into.fields.clear();
        into.problems = rows_.problems();
        if (!into.problems.empty()) return true;
        auto const& cells = rows_.cells();
        if (cells.size() != columns_.size()) {
            into.problems.push_back({{},
                                     "invalid_csv",
                                     "the row has " + std::to_string(cells.size()) + " cells, the first line names " +
                                         std::to_string(columns_.size()) + " columns"});
            return true;
        }
        for (std::size_t i = 0; i < cells.size(); ++i) put(into, columns_[i], cells[i]);
        return true;
    }
    [[nodiscard]] std::uint64_t bytes_read() const noexcept override { return rows_.bytes_read(); }

private:
    void check_head(std::vector<std::string> const& known) const {
        std::string wrong;
        auto const add = [&wrong](std::string const& what) { wrong += (wrong.empty() ? "" : "; ") + what; };
        if (!rows_.problems().empty()) add(rows_.problems().front().message);
        for (auto const& column : columns_) {
            if (std::find(known.begin(), known.end(), column) == known.end())
                add("unknown column " + in_quotes_or_note(column));
            else if (std::count(columns_.begin(), columns_.end(), column) > 1)
                add("column " + column + " is named twice");
        }
        if (std::find(columns_.begin(), columns_.end(), "externalId") == columns_.end()) add("no column externalId");
        if (wrong.empty()) return;
        if (columns_.size() == 1 && columns_.front().find(';') != std::string::npos)
            add("cells are separated by commas (RFC 4180)");
        throw std::runtime_error("the first line: " + wrong);
    }

    // An empty cell is null. "location.city" goes into an object; arrays are "a;b" for tags, JSON for the others.
    void put(record& into, std::string const& column, std::string const& cell) {
        if (!is_utf8(cell)) {
            into.problems.push_back({column, "invalid_utf8", "the cell is not UTF-8"});
            return;
        }
        auto const dot = column.find('.');
        if (dot == std::string::npos) {
            into.fields[column] = value_of(into, column, cell);
            return;
        }
        auto& nested = into.fields[column.substr(0, dot)];
        if (!nested.is_object()) nested.emplace_object();
        nested.get_object()[column.substr(dot + 1)] = value_of(into, column, cell);
    }

    json::value value_of(record& into, std::string const& column, std::string const& cell) {
        if (cell.empty()) return nullptr;
        if (column == "tags") {
            json::array tags;
            for (auto const tag : split(cell, ';'))
                if (!trim(tag).empty()) tags.emplace_back(trim(tag));
            return tags;
        }
        if (column != "links" && column != "stages" && column != "hiringTeam") return json::string(cell);
        auto parsed = parser_.parse(cell);
        if (auto* value = std::get_if<json::value>(&parsed)) return std::move(*value);
        auto wrong = std::get<problem>(std::move(parsed));
        wrong.field = column;
        into.problems.push_back(std::move(wrong));
        return nullptr;
    }

    csv_rows rows_;
    json_text_parser parser_;
    std::vector<std::string> columns_;
};

} // namespace

std::unique_ptr<record_reader> read_csv(std::istream& from, import_kind kind) {
    return std::make_unique<csv_reader>(from, kind);
}

} // namespace recruiting::recruitctl
