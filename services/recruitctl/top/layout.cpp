#include "recruitctl/top/layout.hpp"

#include "core/redact.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace recruiting::recruitctl::top {
namespace {

constexpr std::size_t fewest_route_rows = 3;
constexpr std::size_t longest_name = 40;

using all_figures = std::vector<instance_figures>;

// The sum over the instances that have it.
std::optional<double> sum(all_figures const& all, std::optional<double> instance_figures::*which,
                          std::string_view program = {}) {
    std::optional<double> out;
    for (auto const& one : all)
        if (auto const& value = one.*which; value && (program.empty() || one.program == program))
            out = out.value_or(0) + *value;
    return out;
}

// Every instance reports the same of the database: the highest is the latest.
std::optional<double> most(all_figures const& all, std::optional<double> instance_figures::*which) {
    std::optional<double> out;
    for (auto const& one : all)
        if (auto const& value = one.*which; value && (!out || *value > *out)) out = value;
    return out;
}

style bad_above(std::optional<double> value, double limit) {
    return value && *value > limit ? style::bad : style::plain;
}

line title(all_figures const& all, view const& as) {
    auto const up = std::ranges::count_if(all, &instance_figures::ready);
    line out{{"recruitctl top", style::head}, {"  " + as.now + "  every " + as.interval + "  ", style::plain}};
    out.push_back({std::to_string(up) + " of " + std::to_string(all.size()) + " ready",
                   static_cast<std::size_t>(up) == all.size() ? style::good : style::bad});
    if (as.paused) out.push_back({"  PAUSED", style::bad});
    return out;
}

line traffic(history const& past, view const& as) {
    if (past.empty()) return {{"requests/s  -", style::plain}};
    auto const width = as.columns > 44 ? std::min<std::size_t>(as.columns - 44, 60) : 0;
    return {{"requests/s  " + short_number(past.back()), style::plain},
            {"  " + sparkline(past, width, as.utf8), style::good},
            {"  most " + short_number(*std::ranges::max_element(past)), style::faint}};
}

line edge(all_figures const& all) {
    auto const state = rate_limit_state(all);
    auto const rejected = sum(all, &instance_figures::rejected);
    line out{{"gateway   rate limit ", style::faint}, {state, state == "shared" ? style::good : style::bad}};
    if (auto const local = sum(all, &instance_figures::local); local && *local > 0)
        out.push_back({" " + short_number(local) + "/s", style::bad});
    out.push_back({"  429 " + short_number(rejected) + "/s", bad_above(rejected, 0)});
    out.push_back({"  connections " + short_number(sum(all, &instance_figures::connections)), style::plain});
    out.push_back({"  redis p95 " + short_time(most(all, &instance_figures::redis_p95)), style::plain});
    return out;
}

line upstreams(all_figures const& all) {
    line out{{"upstreams", style::faint}};
    for (auto const& one : all)
        for (auto const& to : one.upstreams) {
            out.push_back({" " + printable(to.name, longest_name) + " ", style::plain}); // another program's word
            out.push_back({to.up ? "up" : "unavailable", to.up ? style::good : style::bad});
            out.push_back({" " + short_number(to.in_flight) + " at work, " + short_number(to.waiting) + " waiting ",
                           bad_above(to.waiting, 0)});
        }
    if (out.size() == 1) out.push_back({" -", style::plain});
    return out;
}

line stores(all_figures const& all) {
    auto const lag = most(all, &instance_figures::unsealed_age);
    return {{"stores    ", style::faint},
            {"postgres connections " + short_number(sum(all, &instance_figures::postgres_connections)), style::plain},
            {"  redis " + short_number(sum(all, &instance_figures::redis_connections)), style::plain},
            {"  audit lag " + short_time(lag), bad_above(lag, 60)}};
}

line work(all_figures const& all) {
    auto const dead = most(all, &instance_figures::mail_dead);
    auto const oldest = most(all, &instance_figures::mail_oldest);
    auto const booking = most(all, &instance_figures::booking_oldest);
    return {{"work      ", style::faint},
            {"mail " + short_number(most(all, &instance_figures::mail_waiting)) + " waiting", style::plain},
            {" (" + short_time(oldest) + ")", bad_above(oldest, 900)},
            {", " + short_number(dead) + " dead", bad_above(dead, 0)},
            {"  booking " + short_time(booking), bad_above(booking, 60)}};
}

line agent(all_figures const& all) {
    auto const failed = sum(all, &instance_figures::runs_failed);
    return {{"agent     ", style::faint},
            {"runs " + short_number(sum(all, &instance_figures::runs_in_progress)) + " now, " +
                 short_number(sum(all, &instance_figures::runs_completed)) + " done/min, ",
             style::plain},
            {short_number(failed) + " failed/min", bad_above(failed, 0)}};
}

std::vector<line> help_lines() {
    std::vector<line> out;
    for (auto const* const text :
         {"q, ctrl-C   quit", "p           pause: the figures stay", "s           sort routes: rate, errors, p95, name",
          "up, down    scroll the routes", "?           these lines", "",
          "429: over the rate limit. local: Redis did not reply, each gateway counts by itself.",
          "Times are quantiles of what was observed between two looks.",
          "What is wrong, and how to fix it: recruitctl doctor."})
        out.push_back({{text, style::plain}});
    return out;
}

bool comes_first(route_figures const& a, route_figures const& b, order by) {
    auto const name = [](route_figures const& r) { return std::tie(r.route, r.program); };
    if (by == order::errors && a.errors != b.errors) return a.errors > b.errors;
    if (by == order::p95 && a.p95.value_or(0) != b.p95.value_or(0)) return a.p95.value_or(0) > b.p95.value_or(0);
    if (by != order::name && a.rate != b.rate) return a.rate > b.rate;
    return name(a) < name(b);
}

// A route of several instances is one line; of their p95 the highest.
std::vector<route_figures> routes_of(all_figures const& all, order by) {
    std::vector<route_figures> out;
    for (auto const& one : all)
        for (auto const& route : one.routes) {
            auto const known = std::ranges::find_if(
                out, [&](auto const& r) { return r.program == route.program && r.route == route.route; });
            if (known == out.end()) {
                out.push_back(route);
                continue;
            }
            known->rate += route.rate;
            known->errors += route.errors;
            known->p95 = std::max(known->p95, route.p95);
        }
    std::ranges::sort(out, [&](auto const& a, auto const& b) { return comes_first(a, b, by); });
    return out;
}

void append(std::vector<line>& to, std::vector<line> more) {
    std::move(more.begin(), more.end(), std::back_inserter(to));
}

} // namespace

std::string_view to_string(order by) noexcept {
    switch (by) {
    case order::rate: return "rate";
    case order::errors: return "errors";
    case order::p95: return "p95";
    case order::name: return "name";
    }
    return "rate";
}

order next(order by) noexcept { return by == order::name ? order::rate : static_cast<order>(static_cast<int>(by) + 1); }

std::vector<line> lay_out(std::vector<instance_figures> const& all, history const& past, view const& as) {
    std::vector<line> out{title(all, as), traffic(past, as), {}};
    append(out, instance_table(all, as.columns));
    append(out, {{}, edge(all), upstreams(all), stores(all), work(all), agent(all), {}});
    auto const footer_rows = as.rows > 0 ? std::size_t{1} : std::size_t{0};
    if (as.help) {
        append(out, help_lines());
    } else {
        auto routes = routes_of(all, as.by);
        auto const used = out.size() + 1 + footer_rows;
        auto const shown = as.rows == 0 ? routes.size() : as.rows > used ? as.rows - used : fewest_route_rows;
        auto const first = std::min(as.scrolled, routes.size() > shown ? routes.size() - shown : 0);
        routes.erase(routes.begin(), routes.begin() + static_cast<std::ptrdiff_t>(first));
        routes.resize(std::min(shown, routes.size()));
        append(out, route_table(routes, as.columns));
    }
    if (footer_rows > 0) {
        out.resize(as.rows - 1);
        out.push_back({{"q quit  p pause  s sort: " + std::string(to_string(as.by)) + "  ? help", style::faint}});
    }
    for (auto& one : out) cut(one, as.columns);
    return out;
}

} // namespace recruiting::recruitctl::top
