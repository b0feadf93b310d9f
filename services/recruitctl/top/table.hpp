// The two tables of recruitctl top: of the instances, whose columns give way by importance, and of the routes.
#pragma once
#include "recruitctl/top/figures.hpp"
#include "recruitctl/top/styled.hpp"

namespace recruiting::recruitctl::top {

[[nodiscard]] std::vector<line> instance_table(std::vector<instance_figures> const& all, std::size_t columns);
[[nodiscard]] std::vector<line> route_table(std::vector<route_figures> const& routes, std::size_t columns);

} // namespace recruiting::recruitctl::top
