// How answers are written: numbers, times, lists, and texts of records, which are quoted and nothing more.
#pragma once
#include "auth_api/agent/builtin/dialogue.hpp"

#include <concepts>

namespace recruiting::auth_api::agent::builtin {

/// 12,345
[[nodiscard]] std::string number(std::int64_t value);
/// "1 job", "3 jobs", "at least 40 jobs"
[[nodiscard]] std::string counted(std::int64_t value, std::string const& noun, bool exact = true);
/// "There is 1 job", "There are 3 jobs", "There are no jobs"
[[nodiscard]] std::string there_are(std::int64_t value, std::string const& noun, bool exact = true);
/// A record's text on one line, without characters that can't be seen, truncated at `longest` characters.
[[nodiscard]] std::string shown(std::string_view text, std::size_t longest = 120);
/// The same between “ ”.
[[nodiscard]] std::string in_quotes(std::string_view text);
/// "a, b and c"
[[nodiscard]] std::string joined(std::vector<std::string> const& parts);
/// One line per text, the first 20 of them; `total` is how many there are in all.
[[nodiscard]] std::string bulleted(std::vector<std::string> const& lines, std::size_t total, bool complete = true);
/// "hiring_manager" → "hiring manager"
[[nodiscard]] std::string spaced(std::string_view value);
/// "2026-01-31 09:30" of a time as the API writes it; other texts stay as they are.
[[nodiscard]] std::string minute_of(std::string_view time);
[[nodiscard]] std::string day_of(std::string_view time);

/// Do the wanted words stand in the text, as whole words and in any case?
[[nodiscard]] bool holds_words(std::string_view text, std::string_view wanted);

template <std::invocable<record const&> LineOf>
[[nodiscard]] std::vector<std::string> lines_of(std::vector<record> const& records, LineOf const& line_of) {
    std::vector<std::string> lines;
    lines.reserve(records.size());
    for (auto const& one : records) lines.push_back(line_of(one));
    return lines;
}

template <std::invocable<record const&> LineOf>
[[nodiscard]] std::string bulleted(listing const& all, LineOf const& line_of) {
    return bulleted(lines_of(all.items, line_of), all.items.size(), all.complete);
}

} // namespace recruiting::auth_api::agent::builtin
