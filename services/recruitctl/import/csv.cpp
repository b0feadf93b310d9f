#include "core/text.hpp"
#include "recruitctl/import/record.hpp"

#include <algorithm>
#include <istream>

namespace recruiting::recruitctl {
namespace {

// Rows of a CSV file (RFC 4180): quoted cells may hold separators, line ends and doubled quotes; lines end with LF or
// CRLF. The first comma, semicolon or tab outside quotes is the separator: no column's name has one.
class csv_rows {
public:
    explicit csv_rows(std::istream& from) : bytes_(from) {}

    /// The next row with a value; false at the end. After a mistake the rest of the line is skipped.
    [[nodiscard]] bool next();
    [[nodiscard]] std::vector<std::string> const& cells() const noexcept { return cells_; }
    [[nodiscard]] std::uint64_t line() const noexcept { return row_line_; } // where the row starts, from 1
    [[nodiscard]] char separator() const noexcept { return separator_; }
    [[nodiscard]] std::vector<problem> const& problems() const noexcept { return problems_; }

private:
    enum class state { cell_start, plain, quoted, quote_in_quoted, skipped };

    void take(char c);
    void end_cell();
    void refuse(char const* reason, char const* message);
    [[nodiscard]] bool empty_row() const {
        return problems_.empty() &&
               std::all_of(cells_.begin(), cells_.end(), [](auto const& cell) { return trim(cell).empty(); });
    }

    text_buffer bytes_;
    char separator_{'\0'}; // not known yet
    std::vector<std::string> cells_;
    std::string cell_;
    std::vector<problem> problems_;
    state state_{state::cell_start};
    bool row_ended_{false};
    std::size_t size_{0};
    std::uint64_t line_{1};
    std::uint64_t row_line_{1};
};

bool csv_rows::next() {
    do {
        cells_.clear();
        cell_.clear();
        problems_.clear();
        state_ = state::cell_start;
        row_ended_ = false;
        size_ = 0;
        row_line_ = line_;
        constexpr auto end = std::char_traits<char>::eof();
        if (bytes_.sgetc() == end) return false;
        while (!row_ended_ && bytes_.sgetc() != end) take(std::char_traits<char>::to_char_type(bytes_.sbumpc()));
        if (!row_ended_) { // the last line has no end
            if (state_ == state::quoted) refuse("invalid_csv", "a quoted cell has no end");
            else end_cell();
        }
    } while (empty_row());
    return true;
}

void csv_rows::take(char c) {
    if (c == '\n') ++line_;
    if (++size_ == longest_record) refuse("too_long", "the row is longer than 4 MiB");
    if (state_ == state::skipped) {
        row_ended_ = c == '\n';
        return;
    }
    if (state_ == state::quoted) {
        if (c == '"') state_ = state::quote_in_quoted;
        else cell_ += c;
        return;
    }
    if (separator_ == '\0' && (c == ',' || c == ';' || c == '\t')) separator_ = c;
    if (state_ == state::quote_in_quoted && c == '"') {
        state_ = state::quoted;
        cell_ += c;
    } else if (c == separator_) {
        state_ = state::cell_start;
        end_cell();
    } else if (c == '\n') {
        if (state_ == state::plain && cell_.ends_with('\r')) cell_.pop_back();
        end_cell();
        row_ended_ = true;
    } else if (c == '"' && state_ == state::cell_start) {
        state_ = state::quoted;
    } else if (state_ == state::quote_in_quoted && c == '\r') {
        // the line end follows
    } else {
        bool const after_quote = state_ == state::quote_in_quoted;
        state_ = state::plain;
        cell_ += c;
        if (after_quote) refuse("invalid_csv", "something follows the quote that ends a cell");
        else if (c == '"') refuse("invalid_csv", "a quote inside a cell that does not start with one");
    }
}

void csv_rows::end_cell() {
    cells_.push_back(std::move(cell_));
    cell_.clear();
    if (cells_.size() > 1000) refuse("invalid_csv", "the row has more than 1,000 cells");
}

void csv_rows::refuse(char const* reason, char const* message) {
    problems_.assign(1, {{}, reason, message});
    cell_.clear();
    state_ = state::skipped;
}

namespace json = boost::json;

// The names a file of this kind may have in its first line; nested fields are dotted.
constexpr std::string_view job_columns =
    "externalId title status requisitionId department location.name location.city location.region "
    "location.countryCode workplaceType employmentType openings salary.min salary.max "
    "salary.currency salary.period salaryPublished published publishedAt closesAt openedAt closedAt "
    "applyUrl descriptionHtml descriptionText stages hiringTeam createdAt updatedAt deletedAt deleted id "
    "publicUrl candidateCount";
constexpr std::string_view candidate_columns =
    "externalId name email phone currentTitle currentCompany location.name location.city "
    "location.region location.countryCode links source tags lastActivityAt createdAt updatedAt "
    "deletedAt deleted id";
constexpr std::string_view application_columns =
    "externalId candidateExternalId jobExternalId stageName status source appliedAt stageEnteredAt "
    "rejectedAt hiredAt rejectionReason createdAt updatedAt deletedAt deleted id candidateId jobId "
    "stageId";

std::vector<std::string_view> csv_columns(import_kind kind) {
    return split(kind == import_kind::jobs         ? job_columns
                 : kind == import_kind::candidates ? candidate_columns
                                                   : application_columns,
                 ' ');
}

constexpr char const* save_as_utf8 = R"(save the file as "CSV UTF-8")";

class csv_reader final : public record_reader {
public:
    csv_reader(std::istream& from, import_kind kind) : rows_(from) {
        bool found = rows_.next();
        // A line that tells Excel the separator.
        if (found && rows_.cells() == std::vector<std::string>{"sep=", ""}) found = rows_.next();
        if (!found) throw std::runtime_error("the file is empty: its first line must name the columns");
        for (auto const& cell : rows_.cells()) columns_.emplace_back(trim(cell));
        check_head(csv_columns(kind));
    }

    [[nodiscard]] bool next(record& into) override {
        if (!rows_.next()) return false;
        into.line = rows_.line();
        into.textual = true;
        into.fields.clear();
        into.problems = rows_.problems();
        into.warnings.clear();
        if (!into.problems.empty()) return true;
        auto const& cells = rows_.cells();
        for (std::size_t i = 0; i < std::max(cells.size(), columns_.size()); ++i) {
            if (i >= cells.size()) {
                into.problems.push_back({{},
                                         "invalid_csv",
                                         "the row has " + std::to_string(cells.size()) +
                                             " cells, the first line names " + std::to_string(columns_.size()) +
                                             " columns"});
                return true;
            }
            auto const cell = trim(cells[i]);
            if (i < columns_.size() && !columns_[i].empty()) put(into, columns_[i], cell);
            else if (!cell.empty())
                into.problems.push_back(
                    {{},
                     "invalid_csv",
                     "cell " + std::to_string(i + 1) + " has a value, but the first line does not name its column"});
        }
        return true;
    }

private:
    void check_head(std::vector<std::string_view> const& known) const {
        std::string wrong;
        auto const add = [&wrong](std::string const& what) { wrong += (wrong.empty() ? "" : "; ") + what; };
        if (!rows_.problems().empty()) add(rows_.problems().front().message);
        for (auto const& column : columns_) {
            if (column.empty()) continue;
            if (!is_utf8(column)) add("a column's name is not UTF-8: " + std::string(save_as_utf8));
            else if (std::find(known.begin(), known.end(), column) == known.end())
                add("unknown column " + in_quotes(column));
            else if (std::count(columns_.begin(), columns_.end(), column) > 1)
                add("column " + column + " is named twice");
        }
        if (std::find(columns_.begin(), columns_.end(), "externalId") == columns_.end()) add("no column externalId");
        if (!wrong.empty()) throw std::runtime_error("the first line: " + wrong);
    }

    // An empty cell is null. "location.city" goes into an object; arrays are "a;b" for tags, JSON for the others.
    void put(record& into, std::string const& column, std::string_view cell) {
        if (!is_utf8(cell)) {
            into.problems.push_back({column, "invalid_utf8", "the cell is not UTF-8: " + std::string(save_as_utf8)});
            return;
        }
        if (column == "links" || column == "stages" || column == "hiringTeam") return put_json(into, column, cell);
        auto const dot = column.find('.');
        if (dot == std::string::npos) {
            into.fields[column] = value_of(column, cell);
            return;
        }
        auto& nested = into.fields[column.substr(0, dot)];
        if (!nested.is_object()) nested.emplace_object();
        nested.get_object()[column.substr(dot + 1)] = value_of(column, cell);
    }

    static void put_json(record& into, std::string const& column, std::string_view cell) {
        auto parsed = parse_json(cell.empty() ? "null" : cell);
        if (auto* value = std::get_if<json::value>(&parsed)) {
            into.fields[column] = std::move(*value);
            return;
        }
        auto wrong = std::get<problem>(std::move(parsed));
        wrong.field = column;
        (must_be_read(column) ? into.problems : into.warnings).push_back(std::move(wrong));
    }

    [[nodiscard]] json::value value_of(std::string const& column, std::string_view cell) const {
        if (cell.empty()) return nullptr;
        if (column == "salary.min" || column == "salary.max") return json::string(decimal(cell));
        if (column != "tags") return json::string(cell);
        json::array tags;
        for (auto const tag : split(cell, ';'))
            if (!trim(tag).empty()) tags.emplace_back(trim(tag));
        return tags;
    }

    // Where the comma separates decimals, spreadsheets separate cells otherwise: "20,75". Three digits after it may as
    // well be thousands.
    [[nodiscard]] std::string decimal(std::string_view cell) const {
        std::string number(cell);
        auto const comma = number.find_last_not_of("0123456789");
        auto const decimals = comma == number.npos ? 0 : number.size() - comma - 1;
        if (rows_.separator() != ',' && (decimals == 1 || decimals == 2) && number[comma] == ',') number[comma] = '.';
        return number;
    }

    csv_rows rows_;
    std::vector<std::string> columns_;
};

} // namespace

std::unique_ptr<record_reader> read_csv(std::istream& from, import_kind kind) {
    return std::make_unique<csv_reader>(from, kind);
}

} // namespace recruiting::recruitctl
