// One call of a model server with its retries. Knows HTTP and nothing of chats.
#include "auth_api/agent/model/remote_model.hpp"
#include "core/url.hpp"

#include <algorithm>
#include <random>

namespace recruiting::auth_api::agent {
namespace {

using std::chrono::duration_cast;
using std::chrono::milliseconds;
using exchange_failure = transfer::http_failure::kind;

constexpr milliseconds first_pause{250};
constexpr milliseconds longest_pause{8'000};
constexpr std::int64_t most_doublings = 5; // 250 ms · 2⁵ is the longest pause

double chance() {
    thread_local std::minstd_rand numbers{std::random_device{}()};
    return std::uniform_real_distribution<double>{}(numbers);
}

task<transfer::http_result> attempt(transfer::engine& engine, transfer::http_request const& request,
                                    coarse_clock::time_point deadline, cancellation& cancel) {
    auto asked = request;
    auto const left = duration_cast<milliseconds>(deadline - coarse_clock::now());
    if (left.count() <= 0) co_return transfer::http_failure{exchange_failure::timed_out, ""};
    asked.timeout = left;
    asked.connect_timeout = std::min(asked.connect_timeout, left);
    transfer::http_exchange exchange(engine, std::move(asked));
    cancel.on_request([&exchange] { exchange.cancel(); });
    auto result = co_await exchange.run();
    cancel.forget();
    co_return result;
}

task<void> wait_for(milliseconds pause, cancellation& cancel) {
    auto const executor = co_await asio::this_coro::executor;
    timer_type timer(executor, pause);
    cancel.on_request([&timer] { timer.cancel(); });
    if (!cancel.requested()) {
        auto const [error] = co_await timer.async_wait(use_task_tuple);
        static_cast<void>(error);
    }
    cancel.forget();
}

} // namespace

std::optional<milliseconds> retry_pause(transfer::http_result const& failed, retry_state const& state) noexcept {
    auto const* const answer = std::get_if<transfer::http_answer>(&failed);
    bool const not_begun = answer != nullptr
                               ? answer->status == 429 || answer->status == 503
                               : std::get<transfer::http_failure>(failed).why == exchange_failure::connect_failed;
    if (!not_begun) return std::nullopt;
    if (state.retries >= state.limit) return std::nullopt;
    auto const doubled = first_pause * (std::int64_t{1} << std::min(state.retries, most_doublings));
    auto const longest = static_cast<double>(std::min<milliseconds>(doubled, longest_pause).count());
    milliseconds const own{static_cast<std::int64_t>(longest * (0.5 + state.jitter / 2))};
    auto const pause = answer != nullptr && answer->retry_after ? *answer->retry_after + own : own;
    if (pause >= state.left) return std::nullopt;
    return pause;
}

task<call_outcome> call_server(transfer::engine& engine, transfer::http_request request, std::int64_t retries,
                               coarse_clock::time_point deadline, cancellation& cancel) {
    call_outcome outcome;
    while (true) {
        auto result = co_await attempt(engine, request, deadline, cancel);
        outcome.result = std::move(result);
        auto const left = duration_cast<milliseconds>(deadline - coarse_clock::now());
        auto const pause = retry_pause(outcome.result, {outcome.retries, retries, left, chance()});
        if (!pause || cancel.requested()) co_return outcome;
        co_await wait_for(*pause, cancel);
        ++outcome.retries;
    }
}

transfer::http_request server_request(model_settings const& config, std::string_view path, std::string body) {
    transfer::http_request out;
    out.method = body.empty() ? transfer::http_request::verb::get : transfer::http_request::verb::post;
    out.url = url_below(config.base_url, path);
    out.headers.emplace_back("Accept: application/json");
    if (!body.empty()) out.headers.emplace_back("Content-Type: application/json");
    if (!config.api_key.empty()) out.headers.push_back("Authorization: Bearer " + config.api_key);
    out.body = std::move(body);
    out.timeout = config.connect_timeout;
    out.connect_timeout = config.connect_timeout;
    out.response_limit = static_cast<std::uint64_t>(config.response_limit);
    out.ca_file = config.ca_file;
    out.proxy = config.proxy;
    return out;
}

std::optional<model_failure> failure_of(transfer::http_result const& result) {
    if (auto const* const answer = std::get_if<transfer::http_answer>(&result)) {
        if (answer->status == 200) return std::nullopt;
        bool const later = answer->status == 429 || answer->status == 503;
        return model_failure{later ? model_failure::kind::unavailable : model_failure::kind::bad_response,
                             "status " + std::to_string(answer->status)};
    }
    auto const why = std::get<transfer::http_failure>(result).why;
    std::string detail = to_string(why);
    switch (why) {
    case exchange_failure::timed_out: return model_failure{model_failure::kind::timed_out, std::move(detail)};
    case exchange_failure::too_large: return model_failure{model_failure::kind::bad_response, std::move(detail)};
    case exchange_failure::cancelled: return model_failure{model_failure::kind::cancelled, std::move(detail)};
    case exchange_failure::not_allowed:
    case exchange_failure::connect_failed:
    case exchange_failure::tls:
    case exchange_failure::lost: break;
    }
    return model_failure{model_failure::kind::unavailable, std::move(detail)};
}

} // namespace recruiting::auth_api::agent
