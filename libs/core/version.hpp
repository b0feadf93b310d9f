#pragma once
#include <string_view>

namespace recruiting {

/// The project's version, as CMakeLists.txt tells it.
[[nodiscard]] std::string_view version() noexcept;

} // namespace recruiting
