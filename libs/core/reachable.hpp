#pragma once
#include "core/settings.hpp"

namespace recruiting {

/// Where a client on the same machine reaches who listens there: a wildcard address becomes loopback.
[[nodiscard]] inline endpoint reachable(endpoint listened) {
    if (listened.host == "0.0.0.0") listened.host = "127.0.0.1";
    if (listened.host == "::") listened.host = "::1";
    return listened;
}

} // namespace recruiting
