// What a refusal is, whatever was refused (proto-docs/errors.md): about the request, and no larger than four times the
// request or 16 KiB.
#pragma once
#include "check.hpp"
#include "http/problem.hpp"

#include <algorithm>

namespace recruiting::fuzz {

/// request: bytes of what was refused.
inline void check_refusal(api_error const& why, std::size_t request) {
    constexpr std::size_t small = 16UL * 1024;
    auto const status = http_status(why.code);
    // Of the 5xx, 501 and 505 are about the request (RFC 9110 sections 15.6.2 and 15.6.6).
    check(status >= 400 && (status < 500 || status == 501 || status == 505), "a refusal is about the request");
    for (auto const* accept : {"application/json", "application/problem+json"}) {
        auto const answer = http::problem_response(why, "00000000000000000000000000000000", accept);
        check(answer.content().size() <= std::max(4 * request, small), "a refusal is small");
    }
}

} // namespace recruiting::fuzz
