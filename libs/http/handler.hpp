// What the server asks of a program. Session includes this header, and not server.hpp.
#pragma once
#include "async/task.hpp"
#include "core/error.hpp"
#include "http/message.hpp"

#include <optional>
#include <string>

namespace recruiting::http {

// An answer of unknown length, pulled piece by piece while the client takes it: memory stays flat.
class body_source {
public:
    virtual ~body_source() = default;
    /// Appends the next piece to out. False: that was the last piece. A throw cuts the connection, so that the client
    /// sees an answer without its end instead of a whole one.
    virtual task<bool> next(std::string& out) = 0;
};

class handler {
public:
    virtual ~handler() = default;
    /// Goes on to its end when the client is gone. Throws only by mistake: the server then answers as
    /// reject(internal_error) and logs.
    virtual task<response> handle(request const& req) = 0;
    /// Asked when a request's head has been read and its body has not: an error is answered as reject does, without
    /// waiting for the body, and the connection ends. req has no body yet. By default every body is awaited.
    virtual task<std::optional<api_error>> refuse_head(request const& req) {
        static_cast<void>(req);
        co_return std::nullopt;
    }
    /// The answer to what never became a request (bad syntax, too large, too slow), or failed in handle. req: what was
    /// read of it, which may end anywhere in the head.
    virtual task<response> reject(request const& req, api_error const& error) = 0;
};

} // namespace recruiting::http
