#include "recruitctl/web.hpp"

#include "async/task.hpp"

namespace recruiting::recruitctl {
namespace {

task<void> carry_out(transfer::http_exchange& exchange, web_answer& into, asio::io_context& context) {
    auto const result = co_await exchange.run();
    if (auto const* const answer = std::get_if<transfer::http_answer>(&result)) {
        into = {answer->status, answer->body, "status " + std::to_string(answer->status)};
    } else {
        auto const& failure = std::get<transfer::http_failure>(result);
        into.why = transfer::to_string(failure.why);
        if (*failure.detail != '\0') into.why += std::string(": ") + failure.detail;
    }
    context.stop();
}

} // namespace

web_answer fetch(transfer::http_request request, std::chrono::milliseconds limit) {
    request.timeout = request.connect_timeout = limit;
    asio::io_context context{1};
    transfer::engine engine(context);
    transfer::http_exchange exchange(engine, std::move(request));
    web_answer out;
    spawn(context, carry_out(exchange, out, context));
    context.run();
    return out;
}

} // namespace recruiting::recruitctl
