// Collects all facts, beside each other and each bounded, and asks every check.
#pragma once
#include "recruitctl/commands/migration.hpp"
#include "recruitctl/doctor/installation.hpp"
#include "recruitctl/doctor/programs_check.hpp"

namespace recruiting::recruitctl::doctor {

struct doctor_questions {
    where_to_look where;
    setting_values own; // recruitctl's settings
    looked<std::vector<migration>> migrations;
    programs_questions programs;
    std::chrono::milliseconds limit{5'000}; // for each look
};

/// In the order in which they are shown. Nothing is changed anywhere.
[[nodiscard]] findings diagnose(doctor_questions const& ask);

} // namespace recruiting::recruitctl::doctor
