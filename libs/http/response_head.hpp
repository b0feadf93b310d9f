// The head of a response as it is sent (RFC 9112 section 4). Pure but for the clock; used by session only.
#pragma once
#include "http/message.hpp"

#include <string>

namespace recruiting::http {

struct connection_state {
    bool keep_alive{true};
    bool http_1_0{false}; // of the request: a streamed body then ends with the connection, without chunks
};

/// Appends the status line and all fields, up to and with the empty line.
void append_head(std::string& out, response const& answer, connection_state connection);

} // namespace recruiting::http
