// Collects all facts, beside each other and each bounded, and asks every check.
#pragma once
#include "recruitctl/commands/migrations.hpp"
#include "recruitctl/doctor/installation.hpp"
#include "recruitctl/doctor/programs_check.hpp"

namespace recruiting::recruitctl::doctor {

struct doctor_questions {
    installation_paths where;
    setting_values own; // recruitctl's settings
    observed<std::vector<migration>> migrations;
    programs_questions programs;
    std::chrono::milliseconds limit{5'000}; // for each read
};

/// In the order in which they are shown. Nothing is changed anywhere.
[[nodiscard]] findings diagnose(doctor_questions const& ask);

} // namespace recruiting::recruitctl::doctor
