// Where recruitctl's settings come from: the environment, and below it a file.
#pragma once
#include "core/settings.hpp"
#include "recruitctl/command.hpp"

namespace recruiting::recruitctl {

/// What the package installs and an operator fills in; used by anyone who may read it.
inline constexpr char const* installed_file = "/etc/recruiting/recruitctl.conf";

/// Names, defaults and ranges of what recruitctl reads from the environment; commands read the values.
[[nodiscard]] settings_reader own_settings();

/// The settings of the named file, else of `installed` if it can be read, else of none; the environment's win.
/// Throws usage_error.
[[nodiscard]] settings configured(std::optional<std::string> const& named, settings const& environment,
                                  std::string const& installed);

} // namespace recruiting::recruitctl
