// The rows of one statement, in PostgreSQL's binary format: no text is formatted there or parsed here. A column's type
// is known to the author of the query; reading it as another type throws std::logic_error.
// jsonb, arrays and numeric are selected as ::text.
#pragma once
#include "core/ids.hpp"
#include "core/time.hpp"

#include <array>
#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

struct pg_result;

namespace recruiting::pg {

class row;

using column_value = std::variant<std::string_view, std::int64_t, bool, uuid, timestamp>;

/// Copies and slices share one result.
class rows {
public:
    rows() = default;
    explicit rows(pg_result* owned);

    [[nodiscard]] int size() const noexcept { return size_; }
    [[nodiscard]] bool empty() const noexcept { return size() == 0; }
    [[nodiscard]] int columns() const noexcept;
    /// count rows from first on; all of them must be there.
    [[nodiscard]] rows slice(int first, int count) const;
    /// Rows touched by INSERT, UPDATE, DELETE.
    [[nodiscard]] std::int64_t affected() const;

    /// One row, and all of them one after the other: as long as these rows live.
    [[nodiscard]] row operator[](int number) const&;
    row operator[](int) const&& = delete;
    class iterator;
    [[nodiscard]] iterator begin() const noexcept;
    [[nodiscard]] iterator end() const noexcept;

    [[nodiscard]] bool is_null(int row, int column) const noexcept;
    [[nodiscard]] std::string_view text(int row, int column) const; // text, varchar, "char", json, ::text; NULL: ""
    [[nodiscard]] std::int64_t integer(int row, int column) const;  // smallint, integer, bigint
    [[nodiscard]] bool boolean(int row, int column) const;
    [[nodiscard]] uuid id(int row, int column) const;
    [[nodiscard]] timestamp time(int row, int column) const; // timestamptz
    [[nodiscard]] std::string_view bytes(int row, int column) const;
    /// bytea, or a uuid, of exactly this length.
    void copy(int row, int column, std::span<std::uint8_t> to) const;

    /// As what its column's type is; bytea and what is selected as ::text is text. nullopt for NULL. Text is valid as
    /// long as these rows live.
    [[nodiscard]] std::optional<column_value> optional_value(int row, int column) const;

private:
    std::shared_ptr<pg_result> result_;
    int first_{0}; // of the result's rows
    int size_{0};
};

/// A row, read from left to right in the order of the SELECT: each call takes the next column. Chained calls and braced
/// lists are evaluated in their order; the arguments of one call are not.
class row {
public:
    row(rows const& of, int number, int column = 0) noexcept : rows_(&of), number_(number), column_(column) {}

    std::string_view text() { return rows_->text(number_, column_++); }
    std::int64_t integer() { return rows_->integer(number_, column_++); }
    bool boolean() { return rows_->boolean(number_, column_++); }
    uuid id() { return rows_->id(number_, column_++); }
    timestamp time() { return rows_->time(number_, column_++); }
    std::string_view bytes() { return rows_->bytes(number_, column_++); }
    // nullopt for NULL. Text is valid as long as the rows live.
    std::optional<std::string_view> optional_text() { return take_optional<std::string_view>(); }
    std::optional<uuid> optional_id() { return take_optional<uuid>(); }
    std::optional<timestamp> optional_time() { return take_optional<timestamp>(); }
    std::optional<std::int64_t> optional_integer() { return take_optional<std::int64_t>(); }
    std::optional<column_value> optional_value() { return rows_->optional_value(number_, column_++); }

    /// Takes a column for each, by its type; NULL is an empty optional or text.
    template <class... Values>
    row& read(Values&... to) {
        (take(to), ...);
        return *this;
    }
    row& skip(int columns = 1) noexcept {
        column_ += columns;
        return *this;
    }
    /// Whether the next column is NULL; takes nothing.
    [[nodiscard]] bool is_null() const noexcept { return rows_->is_null(number_, column_); }
    /// This row with that column as the next one.
    [[nodiscard]] row from(int column) const noexcept { return {*rows_, number_, column}; }
    [[nodiscard]] int number() const noexcept { return number_; }
    [[nodiscard]] rows const& of() const noexcept { return *rows_; }

private:
    void take(std::string& to) { to = text(); }
    void take(std::string_view& to) { to = text(); }
    void take(uuid& to) { to = id(); }
    void take(timestamp& to) { to = time(); }
    void take(bool& to) { to = boolean(); }
    template <std::size_t Size>
    void take(std::array<std::uint8_t, Size>& to) {
        rows_->copy(number_, column_++, to);
    }
    template <std::signed_integral Integer>
    void take(Integer& to) {
        to = static_cast<Integer>(integer());
    }
    template <class Value>
    void take(std::optional<Value>& to) {
        to.reset();
        if (is_null()) skip();
        else take(to.emplace());
    }
    template <class Value>
    std::optional<Value> take_optional() {
        std::optional<Value> out;
        take(out);
        return out;
    }

    rows const* rows_;
    int number_;
    int column_;
};

class rows::iterator {
public:
    iterator(rows const& of, int number) noexcept : rows_(&of), number_(number) {}
    [[nodiscard]] row operator*() const noexcept { return {*rows_, number_}; }
    iterator& operator++() noexcept {
        ++number_;
        return *this;
    }
    [[nodiscard]] bool operator==(iterator const&) const = default;

private:
    rows const* rows_;
    int number_;
};

inline row rows::operator[](int number) const& { return {*this, number}; }
inline rows::iterator rows::begin() const noexcept { return {*this, 0}; }
inline rows::iterator rows::end() const noexcept { return {*this, size_}; }

} // namespace recruiting::pg
