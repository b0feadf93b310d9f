// How results look: one JSON document with the API's field names, or lines for people.
#pragma once
#include "core/error.hpp"
#include "core/time.hpp"

#include <boost/json.hpp>

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace recruiting::recruitctl {

void print_json(std::ostream& out, boost::json::object const& document);

[[nodiscard]] boost::json::value json_text(std::optional<std::string> const& text);
[[nodiscard]] boost::json::value json_time(std::optional<timestamp> time);
[[nodiscard]] boost::json::array json_list(std::vector<std::string> const& values);
/// "-" for nothing.
[[nodiscard]] std::string shown(std::optional<std::string> const& text);
[[nodiscard]] std::string shown_time(std::optional<timestamp> time);
[[nodiscard]] std::string joined(std::vector<std::string> const& values);

/// The value, or the refusal as a failure that names every reason.
[[noreturn]] void throw_refusal(api_error const& error);
template <class T>
[[nodiscard]] T or_fail(result<T> outcome) {
    if (!outcome) throw_refusal(outcome.error());
    return std::move(*outcome);
}

} // namespace recruiting::recruitctl
