// A name server that does not answer holds up neither the transfer past its time nor the loop, and one that changes its
// answer leads to no address that is not allowed.
#include "integration/transfer/client.hpp"

#include <atomic>
#include <dlfcn.h>
#include <netdb.h>
#include <thread>

namespace resolver_test {
using namespace recruiting;
using namespace recruiting::test;
using namespace std::chrono_literals;

namespace {

constexpr std::string_view unanswered = "unanswered.invalid";
constexpr std::string_view rebound = "rebound.invalid";
std::atomic<char const*> rebound_to{"127.0.0.1"};
std::atomic<int> asking{0};
std::atomic<bool> answer_now{false};

} // namespace

// Stands in for the C library's in this program: for one name it takes as long as the test says.
extern "C" int getaddrinfo(char const* node, char const* service, addrinfo const* hints, addrinfo** found) {
    using function = int (*)(char const*, char const*, addrinfo const*, addrinfo**);
    static auto const real = reinterpret_cast<function>(::dlsym(RTLD_NEXT, "getaddrinfo"));
    if (node != nullptr && node == rebound) return real(rebound_to, service, hints, found);
    if (node == nullptr || node != unanswered) return real(node, service, hints, found);
    ++asking;
    for (int i = 0; i < 1'000 && !answer_now; ++i) std::this_thread::sleep_for(10ms);
    --asking;
    return EAI_AGAIN;
}

TEST_CASE("a name that is not resolved in time is a failed connect", "[transfer]") {
    transfer_client here;
    auto asked = post_to("http://" + std::string(unanswered));
    asked.connect_timeout = 200ms;
    CHECK(here.outcome(asked) == "connect failed");
    CHECK(asking == 1); // it did not wait for that

    transfer::http_exchange exchange(here.by, post_to("http://" + std::string(unanswered)));
    transfer::http_result result;
    here.begin(exchange, result);
    here.context.restart();
    while (asking < 2) here.context.run_for(5ms);
    exchange.cancel();
    here.wait();
    CHECK(asking == 2);
    answer_now = true;
    while (asking > 0) std::this_thread::sleep_for(5ms);
}

TEST_CASE("an address is asked of when it is connected to, whatever the name led to before", "[transfer]") {
    model_double server;
    auto asked = post_to("http://rebound.invalid:" + server.base_url().substr(std::string("http://127.0.0.1:").size()));
    asked.may_connect = [](ip_address const& to) { return to == parse_ip("127.0.0.1"); };
    CHECK(transfer_client().outcome(asked) == "200");
    for (auto const* const inside : {"127.0.0.2", "::1", "0.0.0.0"}) {
        rebound_to = inside;
        CHECK(transfer_client().outcome(asked) == "address not allowed");
    }
    CHECK(server.connections() == 1);

    asked.url = server.base_url();
    asked.may_connect = is_global_unicast;
    CHECK(transfer_client().outcome(asked) == "address not allowed");
    CHECK(server.connections() == 1);
}

} // namespace resolver_test
