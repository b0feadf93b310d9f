// Redis by a name whose resolving takes longer than connecting may: the limit holds all the same.
#include "async/task.hpp"
#include "integration/support/http_server_harness.hpp"
#include "redis/connection.hpp"
#include "redis/sentinels.hpp"
#include "support/catch.hpp"

#include <atomic>
#include <dlfcn.h>
#include <future>
#include <memory>
#include <netdb.h>

namespace redis_names_test {
using namespace recruiting;
using namespace recruiting::test;
using std::chrono::milliseconds;

namespace {

constexpr std::string_view slow_name = "slow.redis.test";

/// While it lives, the name leads to 127.0.0.1 once release() was called.
class slow_resolving {
public:
    slow_resolving() { current() = this; }
    ~slow_resolving() {
        release();
        current() = nullptr;
    }
    slow_resolving(slow_resolving const&) = delete;
    slow_resolving& operator=(slow_resolving const&) = delete;

    [[nodiscard]] bool has_begun() const noexcept { return begun_; }
    void release() {
        if (!released_.exchange(true)) open_.set_value();
    }
    void wait() {
        begun_ = true;
        gate_.wait();
    }
    static std::atomic<slow_resolving*>& current() {
        static std::atomic<slow_resolving*> one{nullptr};
        return one;
    }

private:
    std::promise<void> open_;
    std::shared_future<void> gate_{open_.get_future()};
    std::atomic<bool> begun_{false};
    std::atomic<bool> released_{false};
};

/// A server on 127.0.0.1 to which the kernel connects clients, and that never answers.
struct frozen_server {
    explicit frozen_server(asio::io_context& context)
        : acceptor(context, asio::ip::tcp::endpoint(asio::ip::make_address("127.0.0.1"), 0)) {}
    [[nodiscard]] std::string place() const {
        return std::string(slow_name) + ":" + std::to_string(acceptor.local_endpoint().port());
    }
    asio::basic_socket_acceptor<asio::ip::tcp, io_executor> acceptor;
};

// The thread that resolves has called getaddrinfo, and can't be cancelled any more.
void until_resolving(asio::io_context& context, slow_resolving const& names) {
    REQUIRE(eventually([&] {
        context.run_for(milliseconds{5});
        return names.has_begun();
    }));
}

} // namespace

TEST_CASE("the limit of connecting to Redis holds while its name is being resolved", "[gateway][redis]") {
    asio::io_context context{1};
    slow_resolving names;
    frozen_server server(context);
    int failures = 0;
    redis::options how;
    how.connect_limit = milliseconds{100};
    how.retry_pause = std::chrono::hours{1};
    how.on_state = [&](bool up, std::string_view) { failures += up ? 0 : 1; };
    redis::connection connection(context, *redis::parse_address("redis://" + server.place()), how);
    until_resolving(context, names);
    context.run_for(how.connect_limit * 2); // the limit passes
    names.release();
    CHECK(eventually([&] {
        context.run_for(milliseconds{5});
        return failures == 1;
    }));
    connection.stop();
    context.run_for(milliseconds{20});
}

TEST_CASE("a connection to Redis that is stopped while its name is being resolved connects no more",
          "[gateway][redis]") {
    asio::io_context context{1};
    slow_resolving names;
    frozen_server server(context);
    redis::connection connection(context, *redis::parse_address("redis://" + server.place()));
    until_resolving(context, names);
    connection.stop();
    names.release();
    CHECK(eventually([&] {
        context.run_for(milliseconds{5});
        return context.stopped(); // nothing is left to be waited for
    }));
}

TEST_CASE("a Sentinel's limit holds while its name is being resolved", "[gateway][sentinel]") {
    asio::io_context context{1};
    slow_resolving names;
    frozen_server server(context);
    auto const list = std::make_shared<redis::sentinel_list>(
        context, *redis::parse_address("sentinel://" + server.place() + "/main"), nullptr);
    bool answered = false;
    auto const ask = [&]() -> task<void> {
        auto const master = co_await list->ask();
        CHECK_FALSE(master);
        answered = true;
    };
    spawn(context, ask());
    until_resolving(context, names);
    context.run_for(milliseconds{500}); // twice what a Sentinel is given
    names.release();
    CHECK(eventually([&] {
        context.run_for(milliseconds{5});
        return answered;
    }));
    list->close();
    context.run_for(milliseconds{20});
}

} // namespace redis_names_test

// Takes the place of the C library's in this program.
extern "C" int getaddrinfo(char const* name, char const* service, addrinfo const* hints, addrinfo** found) {
    using resolver = int (*)(char const*, char const*, addrinfo const*, addrinfo**);
    static auto const libc = reinterpret_cast<resolver>(::dlsym(RTLD_NEXT, "getaddrinfo"));
    if (name == nullptr || name != redis_names_test::slow_name) return libc(name, service, hints, found);
    if (auto* const names = redis_names_test::slow_resolving::current().load()) names->wait();
    return libc("127.0.0.1", service, hints, found);
}
