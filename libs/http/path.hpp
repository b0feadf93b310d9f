// Matching a request's path against a route's template, segment by segment and still encoded, so that %2F is no slash.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace recruiting::http {

/// Values of {name} segments in the order of the template, percent-decoded.
struct path_params {
    std::array<std::string, 3> values;
    std::size_t count{0};
    [[nodiscard]] std::string const& operator[](std::size_t i) const { return values.at(i); }
};

/// "/jobs/{id}" against "/jobs/0190…". nullopt: no match, an empty segment, or an escape that can't be decoded.
[[nodiscard]] std::optional<path_params> match_path(std::string_view route_template, std::string_view path);

} // namespace recruiting::http
