// A client of transfers on a loop of the test's own.
#pragma once
#include "integration/support/model_double.hpp"
#include "support/catch.hpp"
#include "transfer/http_exchange.hpp"

namespace recruiting::test {

struct transfer_client {
    asio::io_context context{1};
    transfer::engine by{context};
    int left{0};

    void begin(transfer::http_exchange& exchange, transfer::http_result& into) {
        ++left;
        spawn(context, finish(exchange, into));
    }
    void wait() {
        context.restart();
        context.run_for(std::chrono::seconds{20});
        REQUIRE(left == 0);
    }
    transfer::http_result run(transfer::http_request what) {
        transfer::http_exchange exchange(by, std::move(what));
        transfer::http_result result;
        begin(exchange, result);
        wait();
        return result;
    }
    std::string outcome(transfer::http_request what) {
        auto const result = run(std::move(what));
        if (auto const* const failed = std::get_if<transfer::http_failure>(&result))
            return transfer::to_string(failed->why);
        return std::to_string(std::get<transfer::http_answer>(result).status);
    }

private:
    task<void> finish(transfer::http_exchange& exchange, transfer::http_result& into) {
        auto result = co_await exchange.run();
        into = std::move(result);
        if (--left == 0) context.stop();
    }
};

inline transfer::http_request post_to(std::string const& base_url, std::string body = "{}") {
    transfer::http_request out;
    out.method = transfer::http_request::verb::post;
    out.url = base_url + "/chat/completions";
    out.body = std::move(body);
    out.timeout = std::chrono::seconds{10};
    return out;
}

inline transfer::http_answer answer_of(transfer::http_result const& result) {
    REQUIRE(std::holds_alternative<transfer::http_answer>(result));
    return std::get<transfer::http_answer>(result);
}

} // namespace recruiting::test
