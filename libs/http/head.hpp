// The head of a response, as it is sent. Pure, but for the clock of Date.
#pragma once
#include "http/message.hpp"

#include <string>
#include <string_view>

namespace recruiting::http {

/// "Not Found"
[[nodiscard]] std::string_view reason_of(unsigned status) noexcept;

struct connection_state {
    bool keep_alive{true};
    bool http_1_0{false}; // of the request: a streamed body then ends with the connection, without chunks
};

/// "Date: Sat, 21 Nov 2026 01:05:45 GMT\r\n" (RFC 9110 section 5.6.7), made once a second.
[[nodiscard]] std::string_view date_line();

/// Appends the status line and all fields, up to and with the empty line.
void append_head(std::string& out, response const& answer, connection_state connection);

} // namespace recruiting::http
