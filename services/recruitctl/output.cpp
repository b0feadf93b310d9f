#include "recruitctl/output.hpp"

#include "recruitctl/command.hpp"

#include <ostream>

namespace recruiting::recruitctl {

void print_json(std::ostream& out, boost::json::object const& document) {
    out << boost::json::serialize(document) << '\n';
}

boost::json::value json_text(std::optional<std::string> const& text) {
    if (!text) return nullptr;
    return boost::json::string(*text);
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

std::string shown(std::optional<std::string> const& text) { return text.value_or("-"); }

std::string shown_time(std::optional<timestamp> time) { return time ? format_time(*time) : "-"; }

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

} // namespace recruiting::recruitctl
