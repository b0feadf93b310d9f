// Numbers in few columns. Pure.
#pragma once
#include <deque>
#include <optional>
#include <string>

namespace recruiting::recruitctl::top {

/// "-", "0", "0.04", "1.2", "12.3", "123", "12.3k", "4.5M"
[[nodiscard]] std::string short_number(std::optional<double> value);
/// Of seconds: "-", "0.4ms", "12ms", "1.2s", "3m", "2h"
[[nodiscard]] std::string short_time(std::optional<double> seconds);
/// Of bytes: "-", "12.3M", "1.2G"
[[nodiscard]] std::string short_size(std::optional<double> bytes);
/// Of a share of one core: "-", "12%", "230%"
[[nodiscard]] std::string short_share(std::optional<double> share);
/// The last values as bars, as many as there are columns; without UTF-8 in ASCII.
[[nodiscard]] std::string sparkline(std::deque<double> const& values, std::size_t columns, bool utf8);

} // namespace recruiting::recruitctl::top
