// demo.sql as the build puts it into the program.
#pragma once
#include <string_view>

namespace recruiting::recruitctl {

[[nodiscard]] std::string_view demo_sql() noexcept;

} // namespace recruiting::recruitctl
