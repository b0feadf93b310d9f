// No thread of a program listens before all of them can serve, unless nothing else serves and time is up.
#include "http/opening.hpp"
#include "support/catch.hpp"

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>

namespace opening_test {
using namespace recruiting;

namespace {

class part final : public http::thread_part {
public:
    [[nodiscard]] std::string fault() override {
        ++asked;
        return usable ? "" : "no connection";
    }
    void listen() override {
        if (fails) throw std::runtime_error("the port is taken");
        listens = true;
    }
    void drain() override {}
    [[nodiscard]] bool idle() const noexcept override { return true; }
    void close() override {}

    bool usable{true};
    bool fails{false};
    bool listens{false};
    int asked{0};
};

// All threads of the program, and what is beside them, turn on the test's own.
struct program {
    asio::io_context context{1};
    part first;
    part second;
    bool wanted{true};
    std::optional<std::string> outcome{};

    void begin() {
        http::open_when_usable(context, {{context, first}, {context, second}}, false,
                               {[this] { return wanted; }, [this](auto const& why_not) { outcome = why_not; }});
    }
};

} // namespace

TEST_CASE("all threads listen when the last of them is usable", "[http][opening]") {
    program one;
    one.second.usable = false;
    one.begin();
    while (one.second.asked < 3) one.context.run_one();
    REQUIRE_FALSE(one.first.listens);
    one.second.usable = true;
    one.context.run();
    REQUIRE(one.outcome == "");
    REQUIRE(one.first.listens);
    REQUIRE(one.second.listens);
}

TEST_CASE("a program that serves alone listens although it is not usable, after a while", "[http][opening]") {
    program one;
    one.second.usable = false;
    auto const since = std::chrono::steady_clock::now();
    one.begin();
    one.context.run();
    REQUIRE(std::chrono::steady_clock::now() - since >= http::longest_start);
    REQUIRE(one.outcome == "");
    REQUIRE(one.first.listens);
    REQUIRE(one.second.listens);
}

TEST_CASE("a program that ends while it waits never listens", "[http][opening]") {
    program one;
    one.wanted = false;
    one.begin();
    one.context.run();
    REQUIRE_FALSE(one.outcome);
    REQUIRE_FALSE(one.first.listens);
}

TEST_CASE("a thread that can't listen is reported", "[http][opening]") {
    program one;
    one.second.fails = true;
    one.begin();
    one.context.run();
    REQUIRE(one.outcome == "the port is taken");
}

} // namespace opening_test
