// Where doctor and top look: by the same options, --config-dir, --run-dir and one a program.
#pragma once
#include "recruitctl/command.hpp"
#include "recruitctl/doctor/installation.hpp"

namespace recruiting::recruitctl {

[[nodiscard]] doctor::where_to_look places_of(invocation const& call);
/// The admin ports that --gateway, --auth-api or --public-api gives for the program of this name. Throws usage_error.
[[nodiscard]] std::vector<endpoint> admin_ports(invocation const& call, std::string const& program);

} // namespace recruiting::recruitctl
