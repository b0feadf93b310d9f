// The output of results: one JSON document with the API's field names, or lines for people.
#pragma once
#include "core/error.hpp"
#include "core/ids.hpp"
#include "core/time.hpp"
#include "recruitctl/command.hpp"

#include <boost/json.hpp>

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::recruitctl {

void print_json(std::ostream& out, boost::json::object const& document);

[[nodiscard]] boost::json::value json_text(std::optional<std::string_view> text);
[[nodiscard]] boost::json::value json_id(std::optional<uuid> const& id);
[[nodiscard]] boost::json::value json_time(std::optional<timestamp> time);
[[nodiscard]] boost::json::array json_list(std::vector<std::string> const& values);
/// "-" for nothing.
[[nodiscard]] std::string shown(std::optional<std::string_view> text);
[[nodiscard]] std::string shown_time(std::optional<timestamp> time);
/// 1234567 → "1,234,567"
[[nodiscard]] std::string with_commas(std::uint64_t number);
[[nodiscard]] std::string joined(std::vector<std::string> const& values);

/// An aligned table for people: the first row is the head.
using table_rows = std::vector<std::vector<std::string>>;
void print_table(std::ostream& out, table_rows const& rows);

/// A list as {"data": […]} or as a table. json, cells: what an item is in each.
template <class Items, class Json, class Cells>
int print_list(invocation& call, std::vector<std::string> head, Items const& items, Json json, Cells cells) {
    boost::json::array data;
    table_rows rows{std::move(head)};
    for (auto const& item : items) {
        if (call.json()) data.push_back(json(item));
        else rows.push_back(cells(item));
    }
    if (call.json()) print_json(call.out, {{"data", std::move(data)}});
    else print_table(call.out, rows);
    return done;
}

/// Does the environment allow colours (no-color.org)?
[[nodiscard]] bool wants_colour();

/// The value, or the refusal as a failure that names every reason.
[[noreturn]] void throw_refusal(api_error const& error);
template <class T>
[[nodiscard]] T or_fail(result<T> outcome) {
    if (!outcome) throw_refusal(outcome.error());
    return std::move(*outcome);
}

} // namespace recruiting::recruitctl
