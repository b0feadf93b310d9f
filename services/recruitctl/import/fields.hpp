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

class field_mapper {
public:
    /// columns is appended to: `"name":value,…` without braces. path: "links[0]." for an object inside the record. Of
    /// an object that is given as a whole, absent fields are written as null.
    field_mapper(boost::json::object const& fields, bool textual, std::string& columns, std::vector<problem>& problems,
                 std::string path = {}, bool whole = false);

    [[nodiscard]] bool has(std::string_view name) const;
    /// Is there a value that is not null?
    [[nodiscard]] bool has_value(std::string_view name) const;
    /// Does the record give this field, which can't be cleared? A deletion may leave it empty.
    [[nodiscard]] bool gives(std::string_view name) const;

    // Each reads the field `name` into `column`; some return the value, if there is one and it is right.
    void text(std::string_view name, std::string_view column, std::size_t longest = short_text);
    std::optional<std::string> required_text(std::string_view name, std::string_view column, std::size_t longest);
    /// An external system's key: a text or a whole number.
    std::optional<std::string> required_key(std::string_view name, std::string_view column);
    /// An e-mail address, and its canonical form into the column of that name with "_key".
    void email(std::string_view name, std::string_view column);
    /// Where people apply (directory::wrong_apply_url).
    void apply_url(std::string_view name, std::string_view column);
    /// `letters` capitals: country codes (ISO 3166-1 alpha-2) and currencies (ISO 4217).
    void code(std::string_view name, std::string_view column, std::size_t letters);
    /// null is written as `when_null`, if given.
    void one_of(std::string_view name, std::string_view column, std::initializer_list<std::string_view> allowed,
                std::optional<std::string_view> when_null = std::nullopt);
    std::optional<std::int64_t> integer(std::string_view name, std::string_view column, std::int64_t least,
                                        std::int64_t most, std::optional<std::int64_t> when_null = std::nullopt);
    std::optional<bool> boolean(std::string_view name, std::string_view column,
                                std::optional<bool> when_null = std::nullopt);
    /// RFC 3339. null writes nothing when the column can't be null.
    void time(std::string_view name, std::string_view column, bool nullable = true);

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
    void refuse(std::string_view name, std::string reason, std::string message);
    /// Opens `"column":`; the caller appends the value to columns().
    std::string& open_column(std::string_view column);
    [[nodiscard]] bool textual() const noexcept { return textual_; }
    [[nodiscard]] std::vector<problem>& problems() noexcept { return problems_; }

private:
    // The field's value when it is there and not null; writes null where that is what the record says.
    boost::json::value const* value_of(std::string_view name, std::string_view column,
                                       std::string_view when_null = "null");
    std::optional<std::string> checked_text(std::string_view name, boost::json::value const& value,
                                            std::size_t longest);
    std::optional<std::string> required(std::string_view name, std::string_view column, std::size_t longest, bool key);

    boost::json::object const& fields_;
    bool textual_;
    std::string& columns_;
    std::vector<problem>& problems_;
    std::string path_;
    bool whole_;
    std::set<std::string_view> known_;
};

} // namespace recruiting::recruitctl
