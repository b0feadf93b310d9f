#include "http/supervisor.hpp"
#include "http/threads.hpp"
#include "support/catch.hpp"

#include <boost/asio/post.hpp>
#include <csignal>
#include <cstring>
#include <future>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>

namespace supervisor_test {
using namespace recruiting;
using namespace std::chrono_literals;
using http::supervisor::pulse;
using http::supervisor::watch_interval;

namespace {

// The supervisor's end of $NOTIFY_SOCKET, with the variables set as long as it lives.
class listening_supervisor {
public:
    listening_supervisor() {
        auto const name = "@recruiting-test-" + std::to_string(::getpid());
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::memcpy(address.sun_path, name.data(), name.size());
        address.sun_path[0] = '\0';
        auto const size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
        socket_ = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        REQUIRE(::bind(socket_, reinterpret_cast<sockaddr const*>(&address), size) == 0);
        ::setenv("NOTIFY_SOCKET", name.c_str(), 1);
        ::setenv("WATCHDOG_USEC", "2000000", 1);
        ::setenv("WATCHDOG_PID", std::to_string(::getpid()).c_str(), 1);
    }
    ~listening_supervisor() {
        ::close(socket_);
        for (auto const* name : {"NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"}) ::unsetenv(name);
    }
    listening_supervisor(listening_supervisor const&) = delete;
    listening_supervisor& operator=(listening_supervisor const&) = delete;

    /// What comes within so long; empty: nothing.
    std::string next(std::chrono::milliseconds patience) const {
        pollfd one{socket_, POLLIN, 0};
        if (::poll(&one, 1, static_cast<int>(patience.count())) != 1) return {};
        char text[256];
        auto const size = ::recv(socket_, text, sizeof text, 0);
        return size > 0 ? std::string(text, static_cast<std::size_t>(size)) : std::string();
    }
    bool hears(std::string_view wanted) const {
        for (int i = 0; i < 1'000; ++i) {
            auto const heard = next(30s);
            if (heard.empty() || heard.starts_with(wanted)) return !heard.empty();
        }
        return false;
    }
    bool hears_nothing_more() const {
        for (int i = 0; i < 1'000; ++i)
            if (next(2s).empty()) return true;
        return false;
    }

private:
    int socket_{-1};
};

class idle_part final : public http::thread_part {
public:
    [[nodiscard]] std::string fault() override { return {}; }
    void listen() override {}
    void drain() override {}
    [[nodiscard]] bool idle() const noexcept override { return true; }
    void close() override {}
};

} // namespace

TEST_CASE("the supervisor watches only the process it names", "[http][supervisor]") {
    REQUIRE(watch_interval("30000000", "42", 42) == 30s);
    REQUIRE(watch_interval("30000000", nullptr, 42) == 30s);
    REQUIRE_FALSE(watch_interval("30000000", "41", 42));
    REQUIRE_FALSE(watch_interval("30000000", "", 42));
    REQUIRE_FALSE(watch_interval(nullptr, "42", 42));
    for (auto const* const wrong : {"", "0", "-1", "30s"}) REQUIRE_FALSE(watch_interval(wrong, "42", 42));
}

TEST_CASE("a loop beats, hangs, or has come to its end", "[http][supervisor]") {
    pulse one;
    pulse::clock::time_point const start{1h};
    one.beat(start);
    REQUIRE(one.beats(start + 5s, 5s));
    REQUIRE_FALSE(one.beats(start + 5001ms, 5s));
    REQUIRE(one.beats(start - 1ms, 5s)); // stamped while the watcher looked
    one.end();
    REQUIRE(one.beats(start + 1h, 5s));
}

TEST_CASE("a supervisor hears of a living program only while all of its loops turn", "[http][supervisor]") {
    listening_supervisor const above;
    std::promise<asio::io_context*> second;
    std::atomic<int> code{-1};
    metrics::registry metrics;
    std::jthread program([&] {
        code = http::run_threads({2, 1s, [] {}, {}}, metrics, [&](asio::io_context& context, ticker&, unsigned index) {
            if (index == 1) second.set_value(&context);
            return std::make_unique<idle_part>();
        });
    });
    auto* const loop = second.get_future().get();
    REQUIRE(above.hears("READY=1"));
    REQUIRE(above.hears("WATCHDOG=1"));

    std::promise<void> let_go;
    asio::post(*loop, [held = let_go.get_future().share()] { held.wait(); });
    CHECK(above.hears_nothing_more());
    let_go.set_value();
    CHECK(above.hears("WATCHDOG=1"));

    ::kill(::getpid(), SIGHUP);
    CHECK(above.hears("RELOADING=1\nMONOTONIC_USEC="));
    CHECK(above.hears("READY=1"));
    ::kill(::getpid(), SIGTERM);
    CHECK(above.hears("STOPPING=1\nEXTEND_TIMEOUT_USEC=11000000"));
    program.join();
    REQUIRE(code == 0);
}

} // namespace supervisor_test
