#include "recruitctl/scrape/fetch.hpp"

#include "core/url.hpp"

#include <deque>

namespace recruiting::recruitctl::scrape {
namespace {

task<void> carry_out(transfer::http_exchange& exchange, transfer::http_result& into, std::size_t& left,
                     asio::io_context& context) {
    auto result = co_await exchange.run();
    into = std::move(result);
    if (--left == 0) context.stop();
}

} // namespace

std::vector<transfer::http_result> fetch_all(std::vector<transfer::http_request> requests) {
    std::vector<transfer::http_result> results(requests.size());
    asio::io_context context{1};
    transfer::engine engine(context);
    std::deque<transfer::http_exchange> exchanges;
    auto left = requests.size();
    for (std::size_t i = 0; i < requests.size(); ++i) {
        auto& exchange = exchanges.emplace_back(engine, std::move(requests[i]));
        spawn(context, carry_out(exchange, results[i], left, context));
    }
    if (left > 0) context.run(); // each transfer has its own timeout
    return results;
}

transfer::http_request get(endpoint const& where, std::string const& path, std::chrono::milliseconds timeout) {
    transfer::http_request out;
    auto const to = reachable(where);
    out.unix_path = to.unix_path;
    out.url = "http://" + (to.unix_path.empty() ? to_string(to) : std::string("localhost")) + path;
    out.timeout = timeout;
    out.connect_timeout = timeout;
    out.response_limit = 8 * 1024 * 1024;
    return out;
}

std::string describe(transfer::http_result const& result) {
    if (auto const* const answer = answer_of(result)) return "status " + std::to_string(answer->status);
    auto const& failure = std::get<transfer::http_failure>(result);
    std::string const detail = failure.detail == nullptr ? "" : failure.detail;
    return detail.empty() ? transfer::to_string(failure.why) : transfer::to_string(failure.why) + (": " + detail);
}

transfer::http_answer const* answer_of(transfer::http_result const& result) noexcept {
    return std::get_if<transfer::http_answer>(&result);
}

} // namespace recruiting::recruitctl::scrape
