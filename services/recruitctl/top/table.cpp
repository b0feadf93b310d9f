#include "recruitctl/top/table.hpp"

#include "core/redact.hpp"
#include "recruitctl/top/styled.hpp"

#include <algorithm>
#include <functional>

namespace recruiting::recruitctl::top {
namespace {

constexpr std::size_t longest_cell = 200;

struct column {
    std::string head;
    std::size_t width{0};
    bool left{false};
    int importance{0}; // where there is no room the lowest goes first
    std::function<piece(instance_figures const&)> cell;
};

std::string padded(std::string text, std::size_t width, bool left) {
    auto const size = width_of(text);
    auto const blanks = std::string(width > size ? width - size : 0, ' ');
    return left ? text + blanks : blanks + text;
}

piece plain(std::string text) { return {std::move(text), style::plain}; }

// From another program's metrics: nothing in it may drive the terminal.
std::string safe(std::string const& text) { return printable(text, longest_cell); }

piece failing(double rate) { return {short_number(rate), rate > 0 ? style::bad : style::plain}; }

std::vector<column> instance_columns(std::size_t address_width) {
    using of = instance_figures;
    auto const by_class = [](std::size_t which) {
        return [which](of const& one) { return one.rate ? plain(short_number(one.by_class[which])) : plain("-"); };
    };
    return {
        {"PROGRAM", 10, true, 100, [](of const& one) { return plain(safe(one.program)); }},
        {"ADDRESS", address_width, true, 4, [](of const& one) { return plain(safe(one.address)); }},
        {"STATE", 9, true, 99,
         [](of const& one) {
             return piece{one.state, one.ready ? style::good : style::bad};
         }},
        {"VERSION", 9, true, 3, [](of const& one) { return plain(one.version.empty() ? "-" : safe(one.version)); }},
        {"REQ/S", 6, false, 98, [](of const& one) { return plain(short_number(one.rate)); }},
        {"2XX", 6, false, 2, by_class(2)},
        {"3XX", 6, false, 1, by_class(3)},
        {"4XX", 6, false, 90, by_class(4)},
        {"5XX", 6, false, 97,
         [](of const& one) { return one.rate ? failing(one.by_class[5] + one.by_class[0]) : plain("-"); }},
        {"P50", 6, false, 80, [](of const& one) { return plain(short_time(one.took.p50)); }},
        {"P95", 6, false, 96, [](of const& one) { return plain(short_time(one.took.p95)); }},
        {"P99", 6, false, 81, [](of const& one) { return plain(short_time(one.took.p99)); }},
        {"CPU", 5, false, 85, [](of const& one) { return plain(short_share(one.cpu)); }},
        {"MEM", 6, false, 84, [](of const& one) { return plain(short_size(one.memory)); }},
    };
}

std::size_t width_of(std::vector<column> const& all) {
    std::size_t width = 0;
    for (auto const& one : all) width += one.width + 1;
    return width - 1;
}

void drop_until_it_fits(std::vector<column>& all, std::size_t columns) {
    while (all.size() > 1 && width_of(all) > columns) all.erase(std::ranges::min_element(all, {}, &column::importance));
}

} // namespace

std::vector<line> instance_table(std::vector<instance_figures> const& all, std::size_t columns) {
    std::size_t address_width = 7;
    for (auto const& one : all) address_width = std::max(address_width, top::width_of(safe(one.address)));
    auto shown = instance_columns(address_width);
    drop_until_it_fits(shown, columns);
    std::vector<line> out(1);
    for (auto const& one : shown) out.front().push_back({padded(one.head, one.width, one.left) + " ", style::head});
    for (auto const& one : all) {
        line row;
        for (auto const& wanted : shown) {
            auto cell = wanted.cell(one);
            row.push_back({padded(std::move(cell.text), wanted.width, wanted.left) + " ", cell.how});
        }
        out.push_back(std::move(row));
    }
    return out;
}

std::vector<line> route_table(std::vector<route_figures> const& routes, std::size_t columns) {
    constexpr std::size_t others = 11 + 3 * 8; // program and three numbers
    auto const room = columns > others + 8 ? columns - others : 8;
    std::vector<line> out{{{padded("PROGRAM", 11, true) + padded("ROUTE", room, true) + padded("REQ/S", 8, false) +
                                padded("ERR/S", 8, false) + padded("P95", 8, false),
                            style::head}}};
    for (auto const& one : routes) {
        auto name = safe(one.route);
        if (top::width_of(name) >= room) name = printable(name, room - 1);
        out.push_back({plain(padded(safe(one.program), 11, true) + padded(name, room, true) +
                             padded(short_number(one.rate), 8, false)),
                       {padded(short_number(one.errors), 8, false), one.errors > 0 ? style::bad : style::plain},
                       plain(padded(short_time(one.p95), 8, false))});
    }
    return out;
}

} // namespace recruiting::recruitctl::top
