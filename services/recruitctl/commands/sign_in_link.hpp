// member sign-in-link, which member.cpp lists among the commands about members.
#pragma once
#include "recruitctl/command.hpp"

namespace recruiting::recruitctl {

[[nodiscard]] command sign_in_link_command(option organization, option email);

} // namespace recruiting::recruitctl
