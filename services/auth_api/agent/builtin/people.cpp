#include "auth_api/agent/builtin/people.hpp"

#include "auth_api/agent/builtin/lines.hpp"
#include "auth_api/agent/builtin/wording.hpp"

namespace recruiting::auth_api::agent::responder {

std::string person_line(record const& candidate) {
    auto line = shown(candidate.text("name"));
    auto const title = candidate.text("currentTitle");
    auto const company = candidate.text("currentCompany");
    if (!title.empty()) line += ", " + shown(title);
    if (!company.empty()) line += (title.empty() ? ", " : " at ") + shown(company);
    if (!candidate.text("email").empty()) line += ", " + shown(candidate.text("email"));
    return line;
}

std::vector<std::string> person_lines(std::vector<record> const& candidates) {
    return lines_of(candidates, person_line);
}

} // namespace recruiting::auth_api::agent::responder
