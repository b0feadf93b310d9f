// How findings look: lines for people, or one JSON document.
#pragma once
#include "recruitctl/doctor/finding.hpp"

#include <boost/json.hpp>
#include <iosfwd>

namespace recruiting::recruitctl::doctor {

/// Groups in the order of the findings. Control characters, which names and answers of others may hold, are not
/// printed.
void print_report(std::ostream& out, findings const& all, bool colour);
[[nodiscard]] boost::json::object to_json(findings const& all);

} // namespace recruiting::recruitctl::doctor
