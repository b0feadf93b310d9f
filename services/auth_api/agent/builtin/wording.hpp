// How answers are written: numbers, lists, and texts of records, which are quoted as they are and nothing more.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::auth_api::agent::responder {

/// 12,345
[[nodiscard]] std::string number(std::int64_t value);
/// "1 job", "3 jobs", "at least 40 candidates"
[[nodiscard]] std::string counted(std::int64_t value, std::string_view one, std::string_view many, bool exact = true);
/// A record's text on one line, without characters that can't be seen, cut at `longest` characters.
[[nodiscard]] std::string shown(std::string_view text, std::size_t longest = 120);
/// The same between “ ”.
[[nodiscard]] std::string in_quotes(std::string_view text);
/// Said before an answer that leaves a word of the question aside.
[[nodiscard]] std::string not_understood(std::string_view text);
/// "a, b and c"
[[nodiscard]] std::string joined(std::vector<std::string> const& parts);
/// A line each, the first 20 of them; `total` is what they are the first of.
[[nodiscard]] std::string bulleted(std::vector<std::string> const& lines, std::size_t total, bool complete = true);
[[nodiscard]] std::string bulleted(std::vector<std::string> const& lines, bool complete = true);
/// "hiring_manager" → "hiring manager"
[[nodiscard]] std::string spaced(std::string_view value);
/// "2026-01-31 09:30" of an API time; as it is when it is none.
[[nodiscard]] std::string minute_of(std::string_view time);
[[nodiscard]] std::string day_of(std::string_view time);

} // namespace recruiting::auth_api::agent::responder
