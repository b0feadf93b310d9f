#include "core/redact.hpp"
#include "core/text.hpp"
#include "recruitctl/command.hpp"

#include <algorithm>
#include <ostream>

namespace recruiting::recruitctl {
namespace {

// Code points: good enough for aligning, whatever a terminal makes of wide characters.
std::size_t width_of(std::string_view text) { return count_characters(text); }

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
            line += printable(row[i], row[i].size()); // names come from records: none may drive the operator's terminal
            if (i + 1 < row.size()) line.append(widths[i] - width_of(row[i]) + 2, ' ');
        }
        out << line << '\n';
    }
}

} // namespace recruiting::recruitctl
