// An answer of unknown length, pulled piece by piece while the client takes it: memory stays flat.
#pragma once
#include "async/task.hpp"

#include <string>

namespace recruiting::http {

class body_source {
public:
    virtual ~body_source() = default;
    /// Appends the next piece to out. False: there is no more. A throw cuts the connection, so that the client sees an
    /// answer without its end instead of a whole one.
    virtual task<bool> next(std::string& out) = 0;
};

} // namespace recruiting::http
