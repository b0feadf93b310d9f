// Requests of recruitctl to servers over HTTP, one at a time: it waits for each.
#pragma once
#include "transfer/http_exchange.hpp"

#include <chrono>
#include <string>

namespace recruiting::recruitctl {

struct web_answer {
    unsigned status{0}; // 0: none, and why
    std::string body;
    std::string why;
};
[[nodiscard]] web_answer fetch(transfer::http_request request, std::chrono::milliseconds limit);

} // namespace recruiting::recruitctl
