#include "core/redact.hpp"
#include "recruitctl/top/layout.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace recruiting::recruitctl::top {
namespace {

constexpr std::size_t longest_cell = 200;

struct column {
    std::string head;
    std::size_t width{0};
    bool left{false};
    int importance{0}; // on a narrow screen the lowest goes first
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
    auto const width = columns > others + 8 ? columns - others : 8;
    std::vector<line> out{{{padded("PROGRAM", 11, true) + padded("ROUTE", width, true) + padded("REQ/S", 8, false) +
                                padded("ERR/S", 8, false) + padded("P95", 8, false),
                            style::head}}};
    for (auto const& one : routes) {
        auto name = safe(one.route);
        if (top::width_of(name) >= width) name = printable(name, width - 1);
        out.push_back({plain(padded(safe(one.program), 11, true) + padded(name, width, true) +
                             padded(short_number(one.rate), 8, false)),
                       {padded(short_number(one.errors), 8, false), one.errors > 0 ? style::bad : style::plain},
                       plain(padded(short_time(one.p95), 8, false))});
    }
    return out;
}

namespace {

boost::json::value json(std::optional<double> value) {
    if (!value || !std::isfinite(*value)) return nullptr;
    return *value;
}

boost::json::array json(std::vector<route_figures> const& routes) {
    boost::json::array out;
    for (auto const& one : routes)
        out.push_back({{"route", one.route},
                       {"requestsPerSecond", one.rate},
                       {"errorsPerSecond", one.errors},
                       {"p95Seconds", json(one.p95)}});
    return out;
}

boost::json::array json(std::vector<upstream_figures> const& upstreams) {
    boost::json::array out;
    for (auto const& one : upstreams)
        out.push_back({{"name", one.name}, {"up", one.up}, {"inFlight", one.in_flight}, {"waiting", one.waiting}});
    return out;
}

boost::json::object by_class(instance_figures const& of) {
    boost::json::object out;
    for (std::size_t i = 0; i < of.by_class.size(); ++i)
        out.emplace(i == 0 ? std::string("none") : std::to_string(i) + "xx",
                    of.rate ? boost::json::value(of.by_class[i]) : nullptr);
    return out;
}

boost::json::object json(instance_figures const& of) {
    return {{"program", of.program},
            {"address", of.address},
            {"state", of.state},
            {"version", of.version.empty() ? boost::json::value(nullptr) : boost::json::value(of.version)},
            {"requestsPerSecond", json(of.rate)},
            {"requestsPerSecondByClass", by_class(of)},
            {"p50Seconds", json(of.took.p50)},
            {"p95Seconds", json(of.took.p95)},
            {"p99Seconds", json(of.took.p99)},
            {"cpu", json(of.cpu)},
            {"memoryBytes", json(of.memory)},
            {"rejectedPerSecond", json(of.rejected)},
            {"locallyCountedPerSecond", json(of.local)},
            {"connections", json(of.connections)},
            {"redisConnections", json(of.redis_connections)},
            {"postgresConnections", json(of.postgres_connections)},
            {"auditLagSeconds", json(of.unsealed_age)},
            {"mailWaiting", json(of.mail_waiting)},
            {"mailDead", json(of.mail_dead)},
            {"mailOldestSeconds", json(of.mail_oldest)},
            {"bookingOldestSeconds", json(of.booking_oldest)},
            {"bookingDeadLettered", json(of.booking_dead_lettered)},
            {"agentRunsInProgress", json(of.runs_in_progress)},
            {"agentRunsCompletedPerMinute", json(of.runs_completed)},
            {"agentRunsFailedPerMinute", json(of.runs_failed)},
            {"upstreams", json(of.upstreams)},
            {"routes", json(of.routes)}};
}

} // namespace

boost::json::object to_json(std::vector<instance_figures> const& all) {
    boost::json::array instances;
    for (auto const& one : all) instances.push_back(json(one));
    return {{"rateLimit", rate_limit_state(all)},
            {"requestsPerSecond", json(total_rate(all))},
            {"instances", std::move(instances)}};
}

} // namespace recruiting::recruitctl::top
