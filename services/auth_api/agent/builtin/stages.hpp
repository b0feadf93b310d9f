// A pipeline as get_pipeline gives it: the stages a prompt means, who is in them, how many.
#pragma once
#include "auth_api/agent/builtin/record.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace recruiting::auth_api::agent::responder {

/// The stages with this name; else those of the kind it names ("interviews"); else those whose name holds it.
[[nodiscard]] std::vector<record> stages_named(record const& pipeline, std::string_view name);
[[nodiscard]] std::int64_t candidates_in(std::vector<record> const& stages);
/// "There is no stage “X” in “Job”. Its stages: …"
[[nodiscard]] std::string no_such_stage(record const& pipeline, std::string_view name);
/// "Interview: 4"
[[nodiscard]] std::vector<std::string> counts_by_stage(std::vector<record> const& stages);

} // namespace recruiting::auth_api::agent::responder
