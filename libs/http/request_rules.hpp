// What a request must be beyond what Beast checks of it (RFC 9112), and what its refusal is. Pure; used by session
// only.
#pragma once
#include "core/error.hpp"
#include "http/message.hpp"

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/system/error_code.hpp>
#include <string_view>

namespace recruiting::http {

/// The refusal that an error of Beast's parser means.
[[nodiscard]] api_error error_of(boost::system::error_code const& error);

/// RFC 9112 section 2.2: empty lines before a request are left over from a careless client's last one.
void skip_empty_lines(boost::beast::flat_buffer& buffer);

/// RFC 9112 section 3.2: exactly one Host. Section 6.1: chunked is the one transfer coding known here, and HTTP/1.0 has
/// none; a body whose end two readers may see in two places is how requests are smuggled.
[[nodiscard]] bool has_valid_framing(request const& req, bool http_1_0) noexcept;

/// RFC 9112 section 3.2.2: a server takes "GET http://host/path" as it takes "GET /path".
[[nodiscard]] std::string_view without_origin(std::string_view target) noexcept;

} // namespace recruiting::http
