// A statement and its parameters, bound by position ($1, $2, …). Values are sent as text, which PostgreSQL converts to
// the column's type; bytea is sent as it is.
#pragma once
#include "core/ids.hpp"
#include "core/time.hpp"

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::pg {

/// Appends value to an array literal under construction, quoted ('{' and '}' are the caller's).
inline void append_array_element(std::string& literal, std::string_view value) {
    literal += '"';
    for (char const c : value) {
        if (c == '"' || c == '\\') literal += '\\';
        literal += c;
    }
    literal += '"';
}

class params {
public:
    params() = default;

    params& text(std::string_view value) { return push(std::string(value), false); }
    params& id(uuid const& value) { return push(to_string(value), false); }
    params& time(timestamp value) { return push(format_time_micros(value), false); }
    params& boolean(bool value) { return push(value ? "t" : "f", false); }
    params& integer(std::integral auto value) { return push(std::to_string(value), false); }
    params& bytes(std::string_view value) { return push(std::string(value), true); }
    params& null() {
        values_.emplace_back(std::nullopt, false);
        return *this;
    }
    params& optional_text(std::optional<std::string> const& value) { return value ? text(*value) : null(); }
    params& optional_id(std::optional<uuid> const& value) { return value ? id(*value) : null(); }
    params& optional_time(std::optional<timestamp> const& value) { return value ? time(*value) : null(); }
    // Limits of a span. Without one the bound is -infinity or infinity, so that the condition is a plain comparison:
    // what wraps a column or a limit in coalesce() is not leakproof, and row-level security keeps it from an index.
    params& time_from(std::optional<timestamp> const& value) { return value ? time(*value) : text("-infinity"); }
    params& time_until(std::optional<timestamp> const& value) { return value ? time(*value) : text("infinity"); }
    /// An array literal, '{"a","b"}'; cast it in the statement: $1::text[].
    params& text_array(std::vector<std::string> const& values) {
        std::string literal{"{"};
        for (auto const& value : values) {
            if (literal.size() > 1) literal += ',';
            append_array_element(literal, value);
        }
        return push(literal + '}', false);
    }

    /// A literal of uuid[]; cast it in the statement: $1::uuid[].
    params& id_array(std::span<uuid const> values) {
        std::string literal{"{"};
        for (auto const& value : values) {
            if (literal.size() > 1) literal += ',';
            append_id(literal, value);
        }
        return push(literal + '}', false);
    }

    params& append(params const& more) {
        values_.insert(values_.end(), more.values_.begin(), more.values_.end());
        return *this;
    }

    struct bound {
        bound(std::optional<std::string> t, bool b) : text(std::move(t)), binary(b) {}
        std::optional<std::string> text;
        bool binary;
    };
    [[nodiscard]] std::vector<bound> const& values() const noexcept { return values_; }
    [[nodiscard]] std::size_t size() const noexcept { return values_.size(); }

private:
    params& push(std::string value, bool binary) {
        values_.emplace_back(std::move(value), binary);
        return *this;
    }
    std::vector<bound> values_;
};

struct statement {
    std::string sql;
    pg::params params;
    bool composed{false}; // the text was put together for one request, so that there are many of its kind
    /// The record that it reads: $1, the only parameter, is an array of ids, and the first column says whose row it is.
    /// So one statement can read the records of several callers.
    std::optional<uuid> record{};
    /// Whose answer its rows are part of: an unrestricted caller's, who sees every record, or a restricted one's, who
    /// sees those of their own jobs. For the other it finds nothing, and need not be sent.
    enum class callers : std::uint8_t { any, unrestricted, restricted } part_for{callers::any};
};

[[nodiscard]] inline statement read_record(std::string_view sql, uuid const& id) {
    return {std::string(sql), params().id_array({&id, 1}), false, id};
}

} // namespace recruiting::pg
