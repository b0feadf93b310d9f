// W3C Trace Context, level 1, section 3.2: the traceparent field.
#pragma once
#include <string>
#include <string_view>

namespace recruiting {

/// Version 00, lower-case hex, neither id all zero.
[[nodiscard]] bool is_traceparent(std::string_view text) noexcept;
/// A new trace, sampled.
void append_traceparent(std::string& out);

} // namespace recruiting
