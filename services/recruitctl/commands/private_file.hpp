// Files with personal data.
#pragma once
#include <string>
#include <string_view>

namespace recruiting::recruitctl {

/// Makes a file that its owner alone reads (0600). Throws failure when there is one already, or it can't be written
/// whole; it is removed then.
void write_private_file(std::string const& path, std::string_view contents);

} // namespace recruiting::recruitctl
