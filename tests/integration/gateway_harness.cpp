#include "integration/gateway_harness.hpp"

#include "gateway/edge.hpp"
#include "integration/http_server_harness.hpp"

#include <arpa/inet.h>
#include <boost/asio/post.hpp>
#include <csignal>
#include <cstdlib>
#include <future>
#include <random>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace recruiting::test {
namespace {

std::uint16_t free_port() {
    int const fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    ::bind(fd, reinterpret_cast<sockaddr*>(&address), size);
    ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
    ::close(fd);
    return ntohs(address.sin_port);
}

gateway::gateway_settings make_settings(gateway_harness::adjust const& adjust) {
    gateway::gateway_settings settings;
    settings.listen = {"127.0.0.1", free_port(), {}};
    settings.access_log = false;
    settings.drain_delay = std::chrono::milliseconds{0};
    if (char const* const url = std::getenv("RECRUITING_TEST_REDIS_URL"))
        settings.redis = redis::parse_address(url).value_or(redis::address{});
    if (adjust) adjust(settings);
    return settings;
}

} // namespace

test_clock::test_clock() {
    std::random_device random;
    std::int64_t const minute = 100'000'000 + static_cast<std::int64_t>(random() % 1'000'000'000);
    now_ = minute * 60'000'000 + 10'000'000; // ten seconds into it
}

struct gateway_harness::state {
    state(time_source const& clock, adjust const& a)
        : shared(make_settings(a)), ticks(context, std::chrono::milliseconds{10}),
          part(gateway::make_edge(context, ticks, shared, clock, false)), thread([this] { context.run(); }) {}

    template <class Work>
    auto on_thread(Work work) {
        std::packaged_task<decltype(work())()> packaged(std::move(work));
        auto outcome = packaged.get_future();
        asio::post(context, std::move(packaged));
        return outcome.get();
    }

    gateway::shared_parts shared;
    asio::io_context context{1};
    ticker ticks;
    std::unique_ptr<http::thread_part> part;
    std::thread thread;
};

gateway_harness::gateway_harness(time_source const& clock, adjust const& settings)
    : state_(std::make_unique<state>(clock, settings)) {
    for (int i = 0; i < 400 && !redis_is_up(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds{5});
}

gateway_harness::~gateway_harness() {
    state_->on_thread([s = state_.get()] {
        s->part->drain();
        s->part->close();
    });
    static_cast<void>(eventually([this] { return idle(); }));
    state_->on_thread([s = state_.get()] {
        s->part.reset();
        s->ticks.stop();
    });
    state_->context.stop();
    state_->thread.join();
}

std::uint16_t gateway_harness::port() const noexcept { return state_->shared.settings.listen.port; }
bool gateway_harness::redis_is_up() const { return state_->shared.counters.redis_up.value() == 1; }
void gateway_harness::drain() {
    state_->on_thread([s = state_.get()] { s->part->drain(); });
}
bool gateway_harness::idle() const {
    return state_->on_thread([s = state_.get()] { return s->part->idle(); });
}

private_redis::private_redis() {
    char name[] = "/tmp/recruiting-redis-XXXXXX";
    if (::mkdtemp(name) == nullptr) throw std::runtime_error("no temporary directory");
    directory_ = name;
    start();
}

private_redis::~private_redis() {
    kill();
    ::unlink((directory_ + "/socket").c_str());
    ::rmdir(directory_.c_str());
}

void private_redis::start() {
    auto const socket = directory_ + "/socket";
    pid_ = ::fork();
    if (pid_ == 0) {
        ::execlp("redis-server", "redis-server", "--port", "0", "--unixsocket", socket.c_str(), "--save", "",
                 "--appendonly", "no", "--dir", directory_.c_str(), "--logfile", "/dev/null", nullptr);
        ::_exit(127);
    }
    if (!eventually([&] { return ::access(socket.c_str(), R_OK) == 0; }))
        throw std::runtime_error("redis-server does not start");
}

void private_redis::kill() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = -1;
    ::unlink((directory_ + "/socket").c_str());
}

void private_redis::hang() { ::kill(pid_, SIGSTOP); }
void private_redis::resume() { ::kill(pid_, SIGCONT); }

} // namespace recruiting::test
