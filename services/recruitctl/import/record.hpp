// What the import reads and what it makes of it: a record as the file gives it, the row it becomes, what is wrong.
// Pure: readers (read_ndjson, read_csv, board_reader) make records, to_row makes rows.
#pragma once
#include <boost/json/object.hpp>

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::recruitctl {

/// One thing wrong with a line. reason is a word to count by; message is a sentence that never quotes personal data.
struct problem {
    std::string field; // "salary.min"; empty: the line as a whole
    std::string reason;
    std::string message;
    bool operator==(problem const&) const = default;
};

struct bad_line {
    std::uint64_t line{0};
    std::vector<problem> problems;
};

struct record {
    std::uint64_t line{0}; // where it starts, counted from 1
    bool textual{false};   // from CSV: every value is a text or null, numbers and booleans are read from it
    boost::json::object fields;
    std::vector<problem> problems; // not empty: the record could not be read, fields mean nothing
};

/// A row for the database. columns is a JSON object by column name; a column that is not in it keeps its value.
struct import_row {
    std::uint64_t line{0};
    std::string external_id;
    std::string columns;
    std::vector<problem> problems; // not empty: a bad line
};

enum class import_kind { jobs, candidates, applications };
[[nodiscard]] std::string_view to_string(import_kind kind) noexcept;

[[nodiscard]] import_row to_row(import_kind kind, record const& from);

/// A line or CSV row longer than this is bad, and skipped without being held.
inline constexpr std::size_t longest_record = 4U << 20U;

class record_reader {
public:
    virtual ~record_reader() = default;
    /// False at the end. Throws std::runtime_error when the input can't be read.
    [[nodiscard]] virtual bool next(record& into) = 0;
};

[[nodiscard]] std::unique_ptr<record_reader> read_ndjson(std::istream& from);
/// Reads the head at once; throws std::runtime_error that names everything wrong with it.
[[nodiscard]] std::unique_ptr<record_reader> read_csv(std::istream& from, import_kind kind);

} // namespace recruiting::recruitctl
