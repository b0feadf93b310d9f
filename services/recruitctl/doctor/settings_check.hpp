// Are the programs' settings right, and their secrets kept? read_secrets reads the files, the programs check their
// settings themselves (--check), the rest is pure.
#pragma once
#include "recruitctl/doctor/bounded.hpp"
#include "recruitctl/doctor/installation.hpp"

#include <sys/types.h>

namespace recruiting::recruitctl::doctor {

/// The result of --check of each installed program, in the order of program_names; none: it was not asked.
using self_checks = std::array<std::optional<ended_program>, 3>;
[[nodiscard]] self_checks ask_programs(installation const& of, std::chrono::milliseconds limit);

struct secret_file {
    std::string program; // "recruitctl" too
    std::string setting; // empty: the file of settings itself
    std::string path;
    bool there{false};
    bool readable{false};
    mode_t mode{0};
    std::string digest; // SHA-256 of its content without trailing newlines; never shown
};
[[nodiscard]] std::vector<secret_file> read_secrets(installation const& of);

[[nodiscard]] findings check_settings(installation const& of, self_checks const& results);
[[nodiscard]] findings check_secrets(installation const& of, std::vector<secret_file> const& files);
/// What the programs must have in common.
[[nodiscard]] findings check_agreement(installation const& of);

} // namespace recruiting::recruitctl::doctor
