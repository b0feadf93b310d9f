// The engine under transfers: many at once, cancelled ones, an end in their midst; and that it waits quietly.
#include "integration/transfer/client.hpp"

#include <memory>
#include <vector>

namespace engine_test {
using namespace recruiting;
using namespace recruiting::test;
using namespace recruiting::transfer;
using namespace std::chrono_literals;
using failure = http_failure::kind;

TEST_CASE("a hundred transfers go on at once", "[transfer]") {
    model_double server;
    server.answer_by([](model_request_seen const& request) {
        auto said = model_answer::text(request.body);
        said.delay = 50ms;
        return said;
    });
    transfer_client here;
    std::vector<std::unique_ptr<http_exchange>> exchanges;
    std::vector<http_result> results(100);
    for (int i = 0; i < 100; ++i)
        exchanges.push_back(
            std::make_unique<http_exchange>(here.by, post_to(server.base_url(), "n" + std::to_string(i))));
    for (std::size_t i = 0; i < 100; ++i) here.begin(*exchanges[i], results[i]);
    here.wait();
    for (std::size_t i = 0; i < 100; ++i)
        CHECK(answer_of(results[i]).body.find("\"n" + std::to_string(i) + "\"") != std::string::npos);
}

TEST_CASE("a transfer is cancelled from outside, before and while it runs", "[transfer]") {
    model_double server;
    model_answer hangs;
    hangs.hangs = true;
    server.answer(hangs);
    transfer_client here;
    http_exchange exchange(here.by, post_to(server.base_url()));
    http_result result;
    here.begin(exchange, result);
    while (server.hanging() == 0) here.context.run_for(5ms);
    exchange.cancel();
    here.wait();
    CHECK(std::get<http_failure>(result).why == failure::cancelled);
    while (server.hanging() > 0) here.context.run_for(5ms); // its connection was closed

    http_exchange never(here.by, post_to(server.base_url()));
    never.cancel();
    here.begin(never, result);
    here.wait();
    CHECK(std::get<http_failure>(result).why == failure::cancelled);
    CHECK(server.requests().size() == 1);
}

TEST_CASE("an engine may go with transfers under way", "[transfer]") {
    model_double server;
    model_answer hangs;
    hangs.hangs = true;
    server.answer(hangs);
    int ended = 0;
    auto const run = [&](engine& by) -> task<void> {
        http_exchange exchange(by, post_to(server.base_url()));
        auto const result = co_await exchange.run();
        CHECK(std::get<http_failure>(result).why == failure::cancelled);
        ++ended;
    };
    asio::io_context context{1};
    auto by = std::make_unique<engine>(context);
    for (int i = 0; i < 3; ++i) spawn(context, run(*by));
    while (server.hanging() < 3) context.run_for(5ms);

    SECTION("whose loop goes on") {
        by.reset();
        context.restart();
        context.run_for(5s);
        CHECK(ended == 3);
    }
    SECTION("whose loop has ended too") {
        by.reset();
        CHECK(ended == 0);
    }
}

TEST_CASE("an idle engine waits, it does not turn", "[transfer]") {
    model_double server;
    model_answer hangs;
    hangs.hangs = true;
    server.answer(hangs);
    transfer_client here;
    http_exchange exchange(here.by, post_to(server.base_url()));
    http_result result;
    here.begin(exchange, result);
    while (server.hanging() == 0) here.context.run_for(5ms);
    here.context.restart();
    auto const handlers = here.context.run_for(300ms);
    CHECK(handlers < 20);
    exchange.cancel();
    here.wait();
}

} // namespace engine_test
