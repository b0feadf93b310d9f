// What the boards' documents have in common, and what each of them calls a job's fields. Pure.
#pragma once
#include <boost/json/object.hpp>

#include <string>
#include <string_view>

namespace recruiting::recruitctl {

/// The posting's id, a number or a text; "" when there is none.
[[nodiscard]] std::string board_id(boost::json::object const& posting);
/// The text in that field, trimmed; "" when there is none.
[[nodiscard]] std::string_view board_text(boost::json::object const& from, std::string_view name);
/// "Full-time", "FULL TIME", "fulltime", "Intern" … as our employmentType; "" for what is none.
[[nodiscard]] std::string_view employment_type_of(std::string_view words);
/// "Remote", "hybrid", "onsite", "On-Site" … as our workplaceType; "" for what is none.
[[nodiscard]] std::string_view workplace_type_of(std::string_view words);

void map_greenhouse(boost::json::object const& posting, boost::json::object& into);
void map_lever(boost::json::object const& posting, boost::json::object& into);

} // namespace recruiting::recruitctl
