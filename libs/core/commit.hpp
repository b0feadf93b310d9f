// Which source the program was built from, for operators: --version, /healthz, recruiting_build_info and doctor. The
// build writes commit.cpp (cmake/write_commit), so that a new commit compiles nothing else again.
#pragma once
#include <string>
#include <string_view>

namespace recruiting {

/// 12 hexadecimal digits of the commit, followed by "+dirty" if the tree had changes; "unknown" if it had no commit.
[[nodiscard]] std::string_view commit() noexcept;
/// "0.1.0 (15906567abcd)"
[[nodiscard]] std::string version_and_commit();

} // namespace recruiting
