// One JSON line an event on standard output, written by a thread of its own: a reader of the log that has stopped
// reading stops no program. Lines that can't be kept for it are dropped and counted. Never give the log a secret, a
// prompt or a candidate's data: fields are named one by one where they are logged, whole requests never are.
#pragma once
#include <chrono>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <variant>

namespace recruiting::log {

enum class level { debug, info, warning, error };
[[nodiscard]] std::optional<level> parse_level(std::string_view name) noexcept;

/// An integer that is no truth value.
template <class T>
concept number = std::integral<T> && !std::same_as<T, bool>;

struct field {
    std::string_view name;
    std::variant<std::string_view, std::int64_t, double, bool> value;

    field(std::string_view n, std::string_view v) : name(n), value(v) {}
    field(std::string_view n, char const* v) : name(n), value(std::string_view(v)) {}
    template <number Integer>
    field(std::string_view n, Integer v) : name(n), value(static_cast<std::int64_t>(v)) {}
    field(std::string_view n, bool v) : name(n), value(v) {}
    field(std::string_view n, double v) : name(n), value(v) {}
};

struct settings {
    level threshold{level::info};
    /// No setting. Bytes of lines kept while their reader has stopped: some ten thousand requests, which outlasts a
    /// restart of the log's collector and costs at most the memory of a busy second.
    std::int64_t waiting{4 * 1024 * 1024};
};

/// Called once, before the first line: sets the program's name in every line.
void configure(std::string_view program, settings const& how);
[[nodiscard]] bool enabled(level at) noexcept;
/// Text that is not UTF-8 is written with its odd bytes replaced. Lines of several threads never mix.
void write(level at, std::string_view event, std::initializer_list<field> fields = {});
/// Waits until all lines are written, at most so long (also done when the process exits). False: they are not.
bool flush(std::chrono::milliseconds at_most) noexcept;
[[nodiscard]] std::uint64_t dropped_lines() noexcept;

inline void debug(std::string_view event, std::initializer_list<field> fields = {}) {
    write(level::debug, event, fields);
}
inline void info(std::string_view event, std::initializer_list<field> fields = {}) {
    write(level::info, event, fields);
}
inline void warning(std::string_view event, std::initializer_list<field> fields = {}) {
    write(level::warning, event, fields);
}
inline void error(std::string_view event, std::initializer_list<field> fields = {}) {
    write(level::error, event, fields);
}

/// Writes whole lines that the caller has put together. Never waits for the log's reader; lines of several threads
/// never mix.
void put(std::string_view lines) noexcept;

} // namespace recruiting::log
