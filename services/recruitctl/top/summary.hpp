// All instances of two looks, as figures; and as JSON. Pure.
#pragma once
#include "recruitctl/top/figures.hpp"

#include <boost/json.hpp>

namespace recruiting::recruitctl::top {

/// before: of the same instances, or empty.
[[nodiscard]] std::vector<instance_figures> summarize(std::vector<reading> const& before,
                                                      std::vector<reading> const& now);
/// Requests a second of all gateways, or of the services where none is watched; nullopt: not known yet.
[[nodiscard]] std::optional<double> total_rate(std::vector<instance_figures> const& all);
[[nodiscard]] boost::json::object to_json(std::vector<instance_figures> const& all);

} // namespace recruiting::recruitctl::top
