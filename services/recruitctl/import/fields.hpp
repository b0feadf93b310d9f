// Reads the fields of one record into the columns of one row, and collects everything that is wrong.
// One call a field; an absent field writes no column, so an update leaves it as it is. Used by to_row.
#pragma once
#include "core/time.hpp"
#include "recruitctl/import/record.hpp"

#include <boost/json/value.hpp>
#include <initializer_list>
#include <optional>
#include <set>

namespace recruiting::recruitctl {

/// Limits beyond the tables' CHECKs, in characters: what an index row or a page can hold.
inline constexpr std::size_t short_text = 200;
inline constexpr std::size_t longest_description = 100'000;

/// Amounts are from 0 to 10^12, with at most as many decimals as the currency has; no currency in use has more.
inline constexpr int amount_decimals = 3;
inline constexpr std::int64_t highest_amount = 1'000'000'000'000;
/// Thousandths of an amount: of a JSON number, or of a text such as "20.75". nullopt: it is none, or has more decimals.
[[nodiscard]] std::optional<std::int64_t> read_amount(boost::json::value const& amount, int decimals);
/// "20.75"
[[nodiscard]] std::string amount_text(std::int64_t thousandths);

/// A web address, whose spaces become %20.
[[nodiscard]] std::string encode_spaces(std::string_view url);

/// What the mappers of one record have in common, and where they report.
struct mapping {
    bool textual;
    bool complete;
    std::string_view zone;
    std::vector<problem>& problems;
    std::vector<problem>& warnings;
};

class field_mapper {
public:
    /// columns is appended to: `"name":value,…` without braces. path: "links[0]." for an object inside the record. Of
    /// an object that is given as a whole, absent fields are written as null.
    field_mapper(boost::json::object const& fields, mapping const& of, std::string& columns, std::string path = {},
                 bool whole = false);

    [[nodiscard]] bool has(std::string_view name) const;
    /// Is there a value that is not null?
    [[nodiscard]] bool has_value(std::string_view name) const;
    /// Does the record give this field, which can't be cleared? A deletion may leave it empty.
    [[nodiscard]] bool gives(std::string_view name) const;

    // Each reads the field `name` into `column`; some return the value, if there is one and it is right. A value that
    // can't be read is refused, and its column is as if the field were absent.
    void text(std::string_view name, std::string_view column, std::size_t longest = short_text);
    std::optional<std::string> required_text(std::string_view name, std::string_view column, std::size_t longest);
    /// An external system's key: a text or a whole number.
    std::optional<std::string> required_key(std::string_view name, std::string_view column);
    /// An e-mail address, and its canonical form into the column of that name with "_key".
    void email(std::string_view name, std::string_view column);
    /// Where people apply (directory::wrong_apply_url).
    void apply_url(std::string_view name, std::string_view column);
    void country(std::string_view name, std::string_view column);
    std::optional<std::string> currency(std::string_view name, std::string_view column);
    /// null is written as `when_null`, if given. Case, and what separates words, do not matter; `read` knows more
    /// words.
    void one_of(std::string_view name, std::string_view column, std::initializer_list<std::string_view> allowed,
                std::optional<std::string_view> when_null = std::nullopt,
                std::string_view (*read)(std::string_view) = nullptr);
    std::optional<std::int64_t> integer(std::string_view name, std::string_view column, std::int64_t least,
                                        std::int64_t most, std::optional<std::int64_t> when_null = std::nullopt);
    std::optional<bool> boolean(std::string_view name, std::string_view column,
                                std::optional<bool> when_null = std::nullopt);
    /// RFC 3339, or a date: its beginning in the organization's time zone, or its end. null writes nothing when the
    /// column can't be null.
    void time(std::string_view name, std::string_view column, bool nullable = true, bool end_of_day = false);

    /// The mapper of the object, or null, in field `name`, whose problems are named "name.field". In JSON it is given
    /// as a whole; in CSV each of its fields is a column, which keeps its value when the file does not have it.
    [[nodiscard]] field_mapper nested(std::string_view name, boost::json::value const& object);
    /// May a part of this object be left out without being cleared?
    [[nodiscard]] bool is_whole() const noexcept { return whole_; }

    /// Reads without writing a column, for what the caller writes itself.
    std::optional<std::string> plain_text(std::string_view name, std::size_t longest);
    /// Marks the field as known; nullptr when it is absent.
    boost::json::value const* take(std::string_view name);
    /// Fields of the API's records that the service computes: taken and ignored, so that records read from the API can
    /// be imported again.
    void ignore(std::initializer_list<std::string_view> names);
    /// Call last: every field that was not read is a problem.
    void refuse_unknown();
    /// A problem of the line if the field must be read, otherwise a warning.
    void refuse(std::string_view name, std::string reason, std::string message);
    /// What is written for a value that is left out: nothing, or null where what is absent is null.
    void leave_out(std::string_view column, std::string_view null = "null");
    /// How many problems and warnings there are.
    [[nodiscard]] std::size_t reports() const noexcept { return of_.problems.size() + of_.warnings.size(); }
    /// Opens `"column":`; the caller appends the value to columns().
    std::string& open_column(std::string_view column);
    [[nodiscard]] std::string& columns() noexcept { return columns_; }
    [[nodiscard]] mapping const& of() const noexcept { return of_; }

private:
    // The field's value when it is there and not null; writes null where that is what the record says.
    boost::json::value const* value_of(std::string_view name, std::string_view column,
                                       std::string_view when_null = "null");
    std::optional<std::string> checked_text(std::string_view name, boost::json::value const& value,
                                            std::size_t longest);
    std::optional<timestamp> read_time(std::string_view text, bool end_of_day) const;

    boost::json::object const& fields_;
    mapping of_;
    std::string& columns_;
    std::string path_;
    bool whole_;
    std::set<std::string_view> known_;
};

/// salary and salaryPublished. Half of a salary would be a wrong one: it is read as a whole, or left out as a whole.
void map_salary(field_mapper& from);

} // namespace recruiting::recruitctl
