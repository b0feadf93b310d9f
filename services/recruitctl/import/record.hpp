// What the import reads and what it makes of it: a record as the file gives it, the row it becomes, what is wrong.
// Pure: readers (read_ndjson, read_csv, board_reader) make records, to_row makes rows.
#pragma once
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <set>
#include <streambuf>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace recruiting::recruitctl {

/// One thing wrong with a line. reason is a word to count by; message is a sentence that never quotes personal data.
struct problem {
    std::string field; // "salary.min"; empty: the line as a whole
    std::string reason;
    std::string message;
    bool operator==(problem const&) const = default;
};

/// Does a value of this field ("stages[0].kind") that can't be read make the line bad? Others are left out with a
/// warning. These say what the record is, whether it exists and is shown, and what belongs to it.
[[nodiscard]] bool must_be_read(std::string_view field) noexcept;

/// A line with its problems: what makes it bad, or what was left out of it with a warning.
struct bad_line {
    std::uint64_t line{0};
    std::vector<problem> problems;
    std::string external_id{}; // "": not known
};

struct record {
    std::uint64_t line{0}; // where it starts, counted from 1
    bool textual{false};   // from CSV: every value is a text or null, numbers and booleans are read from it
    bool complete{false};  // from a board, which says all about a job: a value that can't be read is none
    boost::json::object fields;
    std::vector<problem> problems; // not empty: the record could not be read, fields mean nothing
    std::vector<problem> warnings; // values that the reader has left out
};

/// A row for the database. columns is a JSON object by column name; a column that is not in it keeps its value.
struct import_row {
    std::uint64_t line{0};
    std::string external_id;
    std::string columns;
    std::vector<problem> problems; // not empty: a bad line
    std::vector<problem> warnings; // optional values that can't be read, and are as if they were absent
};

enum class import_kind { jobs, candidates, applications };
[[nodiscard]] std::string_view to_string(import_kind kind) noexcept;

/// zone: the organization's, of dates without a time.
[[nodiscard]] import_row to_row(import_kind kind, record const& from, std::string_view zone = "UTC");

/// A line or CSV row longer than this is bad, and skipped without being held.
inline constexpr std::size_t longest_record = 4U << 20U;

class record_reader {
public:
    virtual ~record_reader() = default;
    /// False at the end. Throws std::runtime_error when the input can't be read.
    [[nodiscard]] virtual bool next(record& into) = 0;
};

/// A file's text as UTF-8 without a byte order mark, also of a file in UTF-16 that has one. The constructor throws
/// std::runtime_error when the file holds no text, with the name of what it is and how to save it.
class text_buffer final : public std::streambuf {
public:
    explicit text_buffer(std::istream& from);

protected:
    int_type underflow() override;

private:
    enum class encoding { utf8, utf16_little, utf16_big };

    void refuse_other_files() const;
    void decode(std::string_view bytes);
    void append_unit(char32_t unit);

    std::streambuf& bytes_;
    encoding encoding_{encoding::utf8};
    std::string text_;
    int half_{-1};     // the first byte of a unit of UTF-16 whose second has not come yet
    char32_t high_{0}; // the first of two surrogates
};

[[nodiscard]] std::unique_ptr<record_reader> read_ndjson(std::istream& from);
/// Reads the head at once; throws std::runtime_error that names everything wrong with it.
[[nodiscard]] std::unique_ptr<record_reader> read_csv(std::istream& from, import_kind kind);

// JSON texts, which NDJSON, CSV and job boards have in common.

/// The value of a JSON text, or what is wrong: strict RFC 8259, and beyond it no duplicate names (RFC 8259 section 4
/// leaves them open, and one of two values would be lost) and no number that only fits as infinity.
[[nodiscard]] std::variant<boost::json::value, problem> parse_json(std::string_view text);
/// text as a JSON string, for messages.
[[nodiscard]] std::string in_quotes(std::string_view text);

// Jobs out of a job board's document: Greenhouse's job board API (GET /v1/boards/X/jobs?content=true) and Lever's
// postings API (GET /v0/postings/X?mode=json). Each posting becomes a record as read_ndjson would read it, published
// and open, known as "greenhouse:4029384" or "lever:5ac21346-…"; the rest is the ordinary import's.

enum class board { greenhouse, lever };
[[nodiscard]] std::string_view to_string(board source) noexcept;

/// Pure: a posting's fields as a job's. What is not as the board writes it becomes a problem or is left out.
[[nodiscard]] record to_record(board source, boost::json::value const& posting);

/// "Full-time", "Permanent part time", "Intern" … as our employmentType, the most specific of the words; "" for what is
/// none, or is full time or part time.
[[nodiscard]] std::string_view employment_type_of(std::string_view words);
/// "Remote", "hybrid", "onsite", "On-Site" … as our workplaceType; "" for what is none.
[[nodiscard]] std::string_view workplace_type_of(std::string_view words);

class board_reader final : public record_reader {
public:
    /// Reads the whole document; throws std::runtime_error when it is none of that board's, or not all of it.
    board_reader(std::istream& from, board source);
    /// record.line: the posting's position in the document, from 1.
    [[nodiscard]] bool next(record& into) override;

    /// The external ids of all postings read, bad ones included.
    [[nodiscard]] std::set<std::string> const& seen() const noexcept { return seen_; }
    /// A posting without an id could be any.
    [[nodiscard]] bool knows_all() const noexcept { return knows_all_; }

private:
    board source_;
    boost::json::array postings_;
    std::size_t at_{0};
    std::set<std::string> seen_;
    bool knows_all_{true};
};

} // namespace recruiting::recruitctl
