// A request's body before it is read: its content type and size. Pure.
#pragma once
#include "core/error.hpp"
#include "http/message.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace recruiting::http {

/// unsupported_media_type or payload_too_large; nothing: the body may be read. longest is in bytes; without it the
/// server's own limit is the only one.
[[nodiscard]] std::optional<api_error> refuse_body(request const& req, std::string_view media_type,
                                                   std::int64_t longest = std::numeric_limits<std::int64_t>::max());

} // namespace recruiting::http
