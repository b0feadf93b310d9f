#include "core/version.hpp"

namespace recruiting {

std::string_view version() noexcept { return RECRUITING_VERSION; }

} // namespace recruiting
