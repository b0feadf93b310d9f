// A request's body before it is read: its content type and size. Pure.
#pragma once
#include "core/error.hpp"
#include "http/message.hpp"

#include <optional>
#include <string_view>

namespace recruiting::public_api {

/// unsupported_media_type or payload_too_large; nothing: the body may be read.
[[nodiscard]] std::optional<api_error> refuse_body(http::request const& req, std::string_view media_type,
                                                   std::int64_t longest);

} // namespace recruiting::public_api
