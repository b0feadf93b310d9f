// Where recruitctl's settings come from: the environment, and below it a file.
#pragma once
#include "recruitctl/command.hpp"

namespace recruiting::recruitctl {

/// What the package installs and an operator fills in; used by whoever may read it.
inline constexpr char const* installed_file = "/etc/recruiting/recruitctl.conf";

/// The settings of the file that a leading --config FILE names (both are taken off the arguments), else of `installed`
/// if it can be read, else of none; the environment's win. Throws usage_error.
[[nodiscard]] settings configured(std::vector<std::string>& arguments, settings const& environment,
                                  std::string const& installed = installed_file);

} // namespace recruiting::recruitctl
