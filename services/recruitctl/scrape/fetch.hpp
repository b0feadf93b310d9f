// Asks several servers at once over HTTP, and waits for all of them: for commands, which have no loop of their own.
#pragma once
#include "core/settings.hpp"
#include "transfer/http_exchange.hpp"

#include <string>
#include <vector>

namespace recruiting::recruitctl::scrape {

/// In the order of the requests. Takes as long as the slowest, at most its timeout.
[[nodiscard]] std::vector<transfer::http_result> fetch_all(std::vector<transfer::http_request> requests);

/// "http://127.0.0.1:9080/metrics", of a program that listens there.
[[nodiscard]] transfer::http_request get(endpoint const& where, std::string const& path,
                                         std::chrono::milliseconds timeout);

/// A sentence part: "connect failed: Connection refused", "status 503".
[[nodiscard]] std::string describe(transfer::http_result const& result);
[[nodiscard]] transfer::http_answer const* answer_of(transfer::http_result const& result) noexcept;

} // namespace recruiting::recruitctl::scrape
