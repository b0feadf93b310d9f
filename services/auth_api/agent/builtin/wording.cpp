#include "auth_api/agent/builtin/wording.hpp"

#include "auth_api/agent/builtin/code_points.hpp"

#include <algorithm>

namespace recruiting::auth_api::agent::responder {
namespace {

constexpr std::size_t most_lines = 20;

bool is_space(std::uint32_t value) { return value == ' ' || value == '\t' || value == '\n' || value == '\r'; }

bool looks_like_time(std::string_view time) { return time.size() >= 16 && time[4] == '-' && time[10] == 'T'; }

} // namespace

std::string number(std::int64_t value) {
    auto digits = std::to_string(value);
    auto const first = digits.starts_with('-') ? std::size_t{1} : std::size_t{0};
    for (auto at = digits.size(); at > first + 3;) {
        at -= 3;
        digits.insert(at, 1, ',');
    }
    return digits;
}

std::string counted(std::int64_t value, std::string_view one, std::string_view many, bool exact) {
    return (exact ? "" : "at least ") + number(value) + ' ' + std::string(value == 1 ? one : many);
}

std::string shown(std::string_view text, std::size_t longest) {
    std::string out;
    std::size_t length = 0;
    for (std::size_t at = 0; at < text.size();) {
        auto const point = first_code_point(text.substr(at));
        auto const bytes = text.substr(at, point.size);
        at += point.size;
        bool const space = is_space(point.value);
        if ((is_invisible(point.value) && !space) || (space && (out.empty() || out.back() == ' '))) continue;
        if (length++ == longest) return out + "…";
        if (space) out += ' ';
        else out += point.value == 0xFFFD ? std::string_view("�") : bytes;
    }
    if (out.ends_with(' ')) out.pop_back();
    return out;
}

std::string in_quotes(std::string_view text) { return "“" + shown(text) + "”"; }

std::string not_understood(std::string_view text) { return "I did not understand " + in_quotes(text) + ". "; }

std::string joined(std::vector<std::string> const& parts) {
    std::string out;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (i > 0) out += i + 1 == parts.size() ? " and " : ", ";
        out += parts[i];
    }
    return out;
}

std::string bulleted(std::vector<std::string> const& lines, std::size_t total, bool complete) {
    std::string out;
    auto const count = std::min(lines.size(), most_lines);
    for (std::size_t i = 0; i < count; ++i) out.append("\n- ").append(lines[i]);
    if (total > count)
        out += "\nand " + std::string(complete ? "" : "at least ") + number(static_cast<std::int64_t>(total - count)) +
               " more";
    else if (!complete) out += "\nand more";
    return out;
}

std::string bulleted(std::vector<std::string> const& lines, bool complete) {
    return bulleted(lines, lines.size(), complete);
}

std::string spaced(std::string_view value) {
    auto out = shown(value);
    std::ranges::replace(out, '_', ' ');
    return out;
}

std::string minute_of(std::string_view time) {
    if (!looks_like_time(time)) return shown(time);
    return shown(std::string(time.substr(0, 10)) + ' ' + std::string(time.substr(11, 5)));
}

std::string day_of(std::string_view time) { return looks_like_time(time) ? shown(time.substr(0, 10)) : shown(time); }

} // namespace recruiting::auth_api::agent::responder
