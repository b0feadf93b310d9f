// What the readers of NDJSON, CSV and job boards share: JSON texts.
#pragma once
#include "recruitctl/import/record.hpp"

#include <boost/json/value.hpp>
#include <string_view>
#include <variant>

namespace recruiting::recruitctl {

/// What some programs put before UTF-8; it says nothing.
inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// The value of a JSON text, or what is wrong: strict RFC 8259, and beyond it no duplicate names (RFC 8259 section 4
/// leaves them open, and one of two values would be lost) and no number that only fits as infinity.
[[nodiscard]] std::variant<boost::json::value, problem> parse_json(std::string_view text);

} // namespace recruiting::recruitctl
