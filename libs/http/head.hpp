// The head of a request: what it must be beyond what Beast checks of it (RFC 9112). The head of a response, as it is
// sent. Pure, but for the clock of Date.
#pragma once
#include "async/byte_buffer.hpp"
#include "core/error.hpp"
#include "http/message.hpp"

#include <boost/system/error_code.hpp>
#include <string>
#include <string_view>

namespace recruiting::http {

/// The refusal that an error of Beast's parser means.
[[nodiscard]] api_error error_of(boost::system::error_code const& error);

/// RFC 9112 section 2.2: empty lines before a request are left over from a careless client's last one.
void skip_empty_lines(byte_buffer& buffer);

/// RFC 9112 section 3.2: exactly one Host. Section 6.1: chunked is the one transfer coding known here, and HTTP/1.0 has
/// none; a body whose end two readers may see in two places is how requests are smuggled.
[[nodiscard]] bool has_valid_framing(request const& req, bool http_1_0) noexcept;

/// RFC 9112 section 3.2.2: a server takes "GET http://host/path" as it takes "GET /path".
[[nodiscard]] std::string_view without_origin(std::string_view target) noexcept;

struct connection_state {
    bool keep_alive{true};
    bool http_1_0{false}; // of the request: a streamed body then ends with the connection, without chunks
};

/// "Date: Sat, 21 Nov 2026 01:05:45 GMT\r\n" (RFC 9110 section 5.6.7), made once a second.
[[nodiscard]] std::string_view date_line();

/// Appends the status line and all fields, up to and with the empty line.
void append_head(std::string& out, response const& answer, connection_state connection);

} // namespace recruiting::http
