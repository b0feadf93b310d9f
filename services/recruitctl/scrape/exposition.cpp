#include "recruitctl/scrape/exposition.hpp"

#include "core/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace recruiting::recruitctl::scrape {
namespace {

using problem = char const*; // nullptr: none

constexpr std::array<std::string_view, 5> known_types = {"counter", "gauge", "histogram", "summary", "untyped"};

bool begins_name(char c, bool metric) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (metric && c == ':');
}

// The name at the front of text, taken off; empty: there is none.
std::string take_name(std::string_view& text, bool metric) {
    std::size_t end = 0;
    while (end < text.size() && (begins_name(text[end], metric) || (end > 0 && text[end] >= '0' && text[end] <= '9')))
        ++end;
    std::string name(text.substr(0, end));
    text.remove_prefix(end);
    return name;
}

bool is_blank(char c) noexcept { return c == ' ' || c == '\t'; }

void skip_blanks(std::string_view& text) noexcept {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
}

bool take(std::string_view& text, char wanted) noexcept {
    if (text.empty() || text.front() != wanted) return false;
    text.remove_prefix(1);
    return true;
}

// "…" with \\, \" and \n.
problem take_value(std::string_view& text, std::string& out) {
    if (!take(text, '"')) return "a label's value is not quoted";
    while (!text.empty()) {
        char const c = text.front();
        text.remove_prefix(1);
        if (c == '"') return nullptr;
        if (c != '\\') {
            out += c;
            continue;
        }
        if (text.empty()) break;
        char const escaped = text.front();
        text.remove_prefix(1);
        if (escaped != '\\' && escaped != '"' && escaped != 'n') return "an unknown escape in a label's value";
        out += escaped == 'n' ? '\n' : escaped;
    }
    return "a label's value does not end";
}

problem take_labels(std::string_view& text, sample& into) {
    if (!take(text, '{')) return nullptr;
    for (;;) {
        skip_blanks(text);
        if (take(text, '}')) return nullptr;
        auto name = take_name(text, false);
        if (name.empty()) return "a label without a name";
        skip_blanks(text);
        if (!take(text, '=')) return "a label without a value";
        skip_blanks(text);
        std::string value;
        if (auto const* const wrong = take_value(text, value)) return wrong;
        if (std::ranges::find(into.labels, name, &std::pair<std::string, std::string>::first) != into.labels.end())
            return "a label stands twice";
        if (into.labels.size() >= most_labels) return "too many labels";
        into.labels.emplace_back(std::move(name), std::move(value));
        skip_blanks(text);
        if (take(text, '}')) return nullptr;
        if (!take(text, ',')) return "no comma between labels";
    }
}

std::optional<double> number(std::string_view text) {
    if (text == "+Inf" || text == "Inf") return std::numeric_limits<double>::infinity();
    if (text == "-Inf") return -std::numeric_limits<double>::infinity();
    if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
    if (text.starts_with('+')) text.remove_prefix(1);
    auto const value = parse_number<double>(text); // takes "inf" and "nan" too, which the format spells otherwise
    if (!value || !std::isfinite(*value)) return std::nullopt;
    return value;
}

problem read_sample(std::string_view line, exposition& into) {
    sample read;
    read.name = take_name(line, true);
    if (read.name.empty()) return "a sample without a name";
    skip_blanks(line);
    if (auto const* const wrong = take_labels(line, read)) return wrong;
    line = trim(line);
    auto const end = std::min(line.find_first_of(" \t"), line.size());
    auto const value = number(line.substr(0, end));
    if (!value) return "a sample's value is no number";
    auto const time = trim(line.substr(end));
    if (!time.empty() && !parse_number<std::int64_t>(time)) return "a sample's time is no number";
    if (into.samples.size() >= most_samples) return "too many samples";
    read.value = *value;
    into.samples.push_back(std::move(read));
    return nullptr;
}

// "# TYPE name type"; "# HELP …" and other comments are passed over.
problem read_comment(std::string_view line, exposition& into) {
    line.remove_prefix(1);
    skip_blanks(line);
    if (!line.starts_with("TYPE ") && !line.starts_with("TYPE\t")) return nullptr;
    line.remove_prefix(5);
    skip_blanks(line);
    auto name = take_name(line, true);
    auto const type = trim(line);
    if (name.empty() || std::ranges::find(known_types, type) == known_types.end()) return "a TYPE line is not right";
    if (!into.types.emplace(std::move(name), type).second) return "a metric has two TYPE lines";
    return nullptr;
}

} // namespace

std::string_view sample::label(std::string_view of) const noexcept {
    auto const found = std::ranges::find(labels, of, &std::pair<std::string, std::string>::first);
    return found == labels.end() ? std::string_view() : found->second;
}

parsed parse(std::string_view text) {
    parsed out;
    if (!is_utf8(text)) out.problem = "not UTF-8";
    else if (!text.empty() && !text.ends_with('\n')) out.problem = "the last line does not end";
    if (!out.problem.empty()) return out;
    int number_of_line = 0;
    for (auto line : split(text, '\n')) {
        ++number_of_line;
        skip_blanks(line);
        if (line.empty()) continue;
        auto const* const wrong = line.front() == '#' ? read_comment(line, out.what) : read_sample(line, out.what);
        if (wrong == nullptr) continue;
        out.problem = "line " + std::to_string(number_of_line) + ": " + wrong;
        return out;
    }
    return out;
}

std::optional<double> sum_of(exposition const& in, std::string_view name) {
    std::optional<double> sum;
    for (auto const& one : in.samples)
        if (one.name == name) sum = sum.value_or(0) + one.value;
    return sum;
}

} // namespace recruiting::recruitctl::scrape
