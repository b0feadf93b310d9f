// The rows of one statement, in PostgreSQL's binary format: no text is formatted there or parsed here. A column's type
// is known to the author of the query; reading it as another type throws std::logic_error.
// jsonb, arrays and numeric are selected as ::text.
#pragma once
#include "core/ids.hpp"
#include "core/time.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct pg_result;

namespace recruiting::pg {

/// Copies and slices share one result.
class rows {
public:
    rows() = default;
    explicit rows(pg_result* owned);

    [[nodiscard]] int size() const noexcept { return size_; }
    [[nodiscard]] bool empty() const noexcept { return size() == 0; }
    [[nodiscard]] int columns() const noexcept;
    /// So many rows from this one on, which must be there.
    [[nodiscard]] rows slice(int first, int count) const;
    /// Rows touched by INSERT, UPDATE, DELETE.
    [[nodiscard]] std::int64_t affected() const;

    [[nodiscard]] bool is_null(int row, int column) const noexcept;
    [[nodiscard]] std::string_view text(int row, int column) const; // text, varchar, "char", json, ::text; NULL: ""
    [[nodiscard]] std::int64_t integer(int row, int column) const;  // smallint, integer, bigint
    [[nodiscard]] bool boolean(int row, int column) const;
    [[nodiscard]] uuid id(int row, int column) const;
    [[nodiscard]] timestamp time(int row, int column) const; // timestamptz
    [[nodiscard]] std::string_view bytes(int row, int column) const;

    /// As long as these rows live.
    [[nodiscard]] std::optional<std::string_view> optional_text(int row, int column) const;
    [[nodiscard]] std::optional<uuid> optional_id(int row, int column) const;
    [[nodiscard]] std::optional<timestamp> optional_time(int row, int column) const;
    [[nodiscard]] std::optional<std::int64_t> optional_integer(int row, int column) const;

private:
    std::shared_ptr<pg_result> result_;
    int first_{0}; // of the result's rows
    int size_{0};
};

} // namespace recruiting::pg
