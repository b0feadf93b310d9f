// Text that stays compressed in memory: raw deflate (RFC 1951), without the headers that gzip adds for others.
#pragma once
#include <string>
#include <string_view>

namespace recruiting::compression {

[[nodiscard]] std::string deflate(std::string_view text);
/// Throws std::runtime_error for what deflate did not make.
[[nodiscard]] std::string inflate(std::string_view compressed);

} // namespace recruiting::compression
