#include "recruitctl/output.hpp"

#include "core/redact.hpp"
#include "core/text.hpp"

#include <algorithm>
#include <cstdlib>
#include <ostream>

namespace recruiting::recruitctl {

void print_json(std::ostream& out, boost::json::object const& document) {
    out << boost::json::serialize(document) << '\n';
}

boost::json::value json_text(std::optional<std::string_view> text) {
    if (!text) return nullptr;
    return boost::json::string(*text);
}

boost::json::value json_id(std::optional<uuid> const& id) {
    if (!id) return nullptr;
    return boost::json::string(to_string(*id));
}

boost::json::value json_time(std::optional<timestamp> time) {
    if (!time) return nullptr;
    return boost::json::string(format_time(*time));
}

boost::json::array json_list(std::vector<std::string> const& values) {
    boost::json::array list;
    for (auto const& value : values) list.emplace_back(value);
    return list;
}

std::string shown(std::optional<std::string_view> text) { return std::string(text.value_or("-")); }

std::string shown_time(std::optional<timestamp> time) { return time ? format_time(*time) : "-"; }

std::string with_commas(std::uint64_t number) {
    auto text = std::to_string(number);
    for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > 0; at -= 3)
        text.insert(static_cast<std::size_t>(at), 1, ',');
    return text;
}

std::string joined(std::vector<std::string> const& values) {
    std::string text;
    for (auto const& value : values) text += (text.empty() ? "" : ",") + value;
    return text;
}

void throw_refusal(api_error const& error) {
    std::string text;
    for (auto const& detail : error.details) {
        if (!text.empty()) text += "; ";
        if (detail.reason == "invalid_value") text += detail.field + " ";
        text += detail.message;
    }
    if (text.empty()) text = error.message.empty() ? std::string(default_message(error.code)) : error.message;
    throw failure(text);
}

void print_table(std::ostream& out, table_rows const& rows) {
    std::vector<std::size_t> widths; // in code points: good enough, whatever a terminal makes of wide characters
    for (auto const& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], count_characters(row[i]));
    }
    for (auto const& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            line += printable(row[i], row[i].size()); // names come from records: none may drive the operator's terminal
            if (i + 1 < row.size()) line.append(widths[i] - count_characters(row[i]) + 2, ' ');
        }
        out << line << '\n';
    }
}

bool wants_colour() {
    auto const* const refused = std::getenv("NO_COLOR");
    return refused == nullptr || *refused == '\0';
}

} // namespace recruiting::recruitctl
