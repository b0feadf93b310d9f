// The binary format is in PostgreSQL's source (src/backend/utils/adt/*.c, the …send functions): integers big-endian,
// timestamptz microseconds since 2000-01-01 UTC (integer datetimes, the only kind since version 10).
#include "pg/rows.hpp"

#include <libpq-fe.h>

#include <algorithm>
#include <stdexcept>

namespace recruiting::pg {
namespace {

constexpr std::chrono::sys_days postgres_epoch{std::chrono::year{2000} / 1 / 1};

[[noreturn]] void wrong_type(pg_result const* result, int column, char const* wanted) {
    auto const* name = PQfname(result, column);
    throw std::logic_error(std::string("column ") + (name != nullptr ? name : "?") + " is read as " + wanted +
                           ", which it is not");
}

std::int64_t big_endian(std::string_view bytes) {
    auto value = std::uint64_t{(static_cast<unsigned char>(bytes.front()) & 0x80U) != 0 ? ~std::uint64_t{0} : 0};
    for (char const byte : bytes) value = (value << 8U) | static_cast<unsigned char>(byte);
    return static_cast<std::int64_t>(value);
}

} // namespace

rows::rows(pg_result* owned) : result_(owned, PQclear), size_(PQntuples(owned)) {}

int rows::columns() const noexcept { return PQnfields(result_.get()); }

rows rows::slice(int first, int count) const {
    if (first < 0 || count < 0 || first > size_ - count) throw std::logic_error("there are no such rows");
    auto out = *this;
    out.first_ += first;
    out.size_ = count;
    return out;
}

std::int64_t rows::affected() const {
    if (!result_) return 0;
    std::string_view const count = PQcmdTuples(result_.get());
    return count.empty() ? 0 : std::stoll(std::string(count));
}

bool rows::is_null(int row, int column) const noexcept { return PQgetisnull(result_.get(), first_ + row, column) != 0; }

std::string_view rows::bytes(int row, int column) const {
    auto const* value = row < size_ ? PQgetvalue(result_.get(), first_ + row, column) : nullptr;
    if (value == nullptr) throw std::logic_error("there is no such row or column");
    return {value, static_cast<std::size_t>(PQgetlength(result_.get(), first_ + row, column))};
}

std::string_view rows::text(int row, int column) const { return bytes(row, column); }

std::int64_t rows::integer(int row, int column) const {
    auto const value = bytes(row, column);
    if (value.size() != 2 && value.size() != 4 && value.size() != 8) wrong_type(result_.get(), column, "integer");
    return big_endian(value);
}

bool rows::boolean(int row, int column) const {
    auto const value = bytes(row, column);
    if (value.size() != 1) wrong_type(result_.get(), column, "boolean");
    return value.front() != 0;
}

void rows::copy(int row, int column, std::span<std::uint8_t> to) const {
    auto const value = bytes(row, column);
    if (value.size() != to.size()) wrong_type(result_.get(), column, "uuid or hash");
    std::transform(value.begin(), value.end(), to.begin(), [](char c) { return static_cast<std::uint8_t>(c); });
}

uuid rows::id(int row, int column) const {
    uuid id;
    copy(row, column, id.bytes);
    return id;
}

timestamp rows::time(int row, int column) const {
    auto const value = bytes(row, column);
    if (value.size() != 8) wrong_type(result_.get(), column, "timestamptz");
    return timestamp{postgres_epoch} + std::chrono::microseconds{big_endian(value)};
}

// The types' OIDs never change (src/include/catalog/pg_type.dat).
std::optional<column_value> rows::optional_value(int row, int column) const {
    if (is_null(row, column)) return std::nullopt;
    switch (PQftype(result_.get(), column)) {
    case 16: return boolean(row, column);
    case 20:
    case 21:
    case 23: return integer(row, column);
    case 1184: return time(row, column);
    case 2950: return id(row, column);
    default: return text(row, column);
    }
}

} // namespace recruiting::pg
