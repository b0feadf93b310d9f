// A text for each of some records.
#pragma once
#include "auth_api/agent/builtin/record.hpp"

#include <string>
#include <vector>

namespace recruiting::auth_api::agent::responder {

template <class LineOf>
[[nodiscard]] std::vector<std::string> lines_of(std::vector<record> const& records, LineOf const& line_of) {
    std::vector<std::string> lines;
    lines.reserve(records.size());
    for (auto const& one : records) lines.push_back(line_of(one));
    return lines;
}

} // namespace recruiting::auth_api::agent::responder
