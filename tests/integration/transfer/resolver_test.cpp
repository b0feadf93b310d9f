// A name server that does not answer holds up neither the transfer past its time nor the loop.
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
std::atomic<int> asking{0};
std::atomic<bool> answer_now{false};

} // namespace

// Stands in for the C library's in this program: for one name it takes as long as the test says.
extern "C" int getaddrinfo(char const* node, char const* service, addrinfo const* hints, addrinfo** found) {
    using function = int (*)(char const*, char const*, addrinfo const*, addrinfo**);
    static auto const real = reinterpret_cast<function>(::dlsym(RTLD_NEXT, "getaddrinfo"));
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

} // namespace resolver_test
