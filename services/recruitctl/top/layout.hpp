// How recruitctl top looks: figures to lines of styled pieces, cut to a screen. Pure; no terminal is known here.
#pragma once
#include "recruitctl/top/figures.hpp"
#include "recruitctl/top/styled.hpp"

#include <boost/json.hpp>
#include <deque>

namespace recruiting::recruitctl::top {

enum class order { rate, errors, p95, name };
[[nodiscard]] std::string_view to_string(order by) noexcept;
[[nodiscard]] order next(order by) noexcept;

struct view {
    std::size_t columns{80};
    std::size_t rows{0}; // 0: as many as there are
    order by{order::rate};
    bool paused{false};
    bool help{false};
    bool utf8{true};
    std::size_t scrolled{0}; // routes passed over
    std::string now;         // "14:02:11"
    std::string interval;    // "2s"
};

/// The requests of all gateways a second, the newest last.
using history = std::deque<double>;

/// At most view.rows lines of at most view.columns columns each.
[[nodiscard]] std::vector<line> lay_out(std::vector<instance_figures> const& all, history const& past, view const& as);

// Its two tables: of the instances, whose columns give way by importance, and of the routes.

[[nodiscard]] std::vector<line> instance_table(std::vector<instance_figures> const& all, std::size_t columns);
[[nodiscard]] std::vector<line> route_table(std::vector<route_figures> const& routes, std::size_t columns);

// And all of it as JSON.
[[nodiscard]] boost::json::object to_json(std::vector<instance_figures> const& all);

} // namespace recruiting::recruitctl::top
