#include "command.hpp"

#include <algorithm>
#include <ostream>

namespace recruiting::recruitctl {
namespace {

// Code points: good enough for aligning, whatever a terminal makes of wide characters.
std::size_t width_of(std::string_view text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

// Names come from records: a control character in one must not drive the operator's terminal.
std::string printable(std::string_view text) {
    std::string shown(text);
    for (auto& c : shown)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
    return shown;
}

} // namespace

void print_table(std::ostream& out, std::vector<std::vector<std::string>> const& table_rows) {
    std::vector<std::size_t> widths;
    for (auto const& row : table_rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
    }
    for (auto const& row : table_rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            line += printable(row[i]);
            if (i + 1 < row.size()) line.append(widths[i] - width_of(row[i]) + 2, ' ');
        }
        out << line << '\n';
    }
}

} // namespace recruiting::recruitctl
