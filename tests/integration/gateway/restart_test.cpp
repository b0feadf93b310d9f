// A service restarted one instance at a time under load, with the server its services really have.
#include "integration/gateway/harness.hpp"
#include "integration/support/http_client.hpp"
#include "integration/support/http_server_harness.hpp"
#include "support/catch.hpp"

#include <array>
#include <map>
#include <mutex>

namespace restart_test {
using namespace recruiting;
using namespace recruiting::test;
using namespace std::chrono_literals;
using gateway::gateway_settings;

namespace {

// How often each request's body reached an instance.
class ledger {
public:
    void note(std::string_view body) {
        if (body.empty()) return;
        std::lock_guard const lock(mutex_);
        ++times_[std::string(body)];
    }
    [[nodiscard]] int times(std::string const& body) const {
        std::lock_guard const lock(mutex_);
        auto const found = times_.find(body);
        return found == times_.end() ? 0 : found->second;
    }

private:
    mutable std::mutex mutex_;
    std::map<std::string, int> times_;
};

// One instance of the service, that can be stopped and started on its port.
class instance {
public:
    explicit instance(ledger& book) : book_(book) { start(); }
    void start() {
        harness_settings settings;
        settings.port = port_;
        settings.drain_delay = 1500ms; // several health checks
        served_ = 0;
        settings.on_body = [this](std::string_view body) {
            book_.note(body);
            ++served_;
        };
        server_ = std::make_unique<http_server_harness>(settings);
        port_ = server_->port();
    }
    bool stop() { // as SIGTERM does it; false: something is still under way
        server_->drain();
        bool const drained = eventually([&] { return server_->drained(); });
        server_.reset();
        return drained;
    }
    void kill() { server_.reset(); }
    [[nodiscard]] std::uint16_t port() const noexcept { return port_; }
    /// Has it come back to work? An address that failed returns slowly: ready is not enough to be relied on.
    [[nodiscard]] bool serves() const {
        return eventually([this] { return served_ > 50; });
    }

private:
    ledger& book_;
    std::atomic<int> served_{0};
    std::uint16_t port_{0};
    std::unique_ptr<http_server_harness> server_;
};

// Clients that ask without a pause, GET and POST in turn, until the end of it.
class load {
public:
    load(std::uint16_t port, int clients) {
        for (int i = 0; i < clients; ++i) threads_.emplace_back([this, port, i] { run(port, i); });
    }
    ~load() { end(); }
    load(load const&) = delete;
    load& operator=(load const&) = delete;
    void end() {
        stopping_ = true;
        for (auto& one : threads_)
            if (one.joinable()) one.join();
    }
    [[nodiscard]] std::map<std::string, int> statuses() const { return statuses_; } // "GET 200" → how often
    [[nodiscard]] std::vector<std::pair<std::string, unsigned>> const& posts() const { return posts_; }
    [[nodiscard]] int answered() const { return answered_; }

private:
    void run(std::uint16_t port, int client) {
        auto connection = std::make_unique<http_client>(port);
        for (int i = 0; !stopping_; ++i) {
            bool const is_post = i % 2 == 1;
            auto const body = std::to_string(client) + "-" + std::to_string(i);
            unsigned status = 0;
            try {
                connection->send(is_post ? "POST /api/v1/x HTTP/1.1\r\nHost: h\r\nContent-Length: " +
                                               std::to_string(body.size()) + "\r\n\r\n" + body
                                         : "GET /api/v1/x HTTP/1.1\r\nHost: h\r\n\r\n");
                status = connection->receive().status;
            } catch (std::exception const&) {
                connection = std::make_unique<http_client>(port);
            }
            ++answered_;
            std::lock_guard const lock(mutex_);
            ++statuses_[(is_post ? "POST " : "GET ") + std::to_string(status)];
            if (is_post) posts_.emplace_back(body, status);
        }
    }

    std::atomic<bool> stopping_{false};
    std::atomic<int> answered_{0};
    std::mutex mutex_;
    std::map<std::string, int> statuses_;
    std::vector<std::pair<std::string, unsigned>> posts_;
    std::vector<std::thread> threads_;
};

struct setup {
    ledger book;
    std::array<instance, 2> instances{instance(book), instance(book)};
    test_clock clock;
    gateway_harness gateway{clock, [this](gateway_settings& s) {
                                s.upstreams[0].clear();
                                for (auto const& one : instances)
                                    s.upstreams[0].push_back({{"127.0.0.1", one.port(), {}}, one.port()});
                                s.limits.limits = {1'000'000, 1'000'000};
                            }};

    [[nodiscard]] bool ready(int count) const {
        return eventually(
            [&] { return gateway.metric("recruiting_gateway_upstream_addresses_ready", "auth-api") == count; });
    }
    [[nodiscard]] static bool more(load const& clients) {
        auto const before = clients.answered();
        return eventually([&] { return clients.answered() > before + 200; });
    }
};

} // namespace

TEST_CASE("a service restarted one instance at a time: no client sees an error, no POST runs twice",
          "[gateway][upstream][restart]") {
    setup s;
    REQUIRE(s.ready(2));
    load clients(s.gateway.port(), 8);
    for (int round = 0; round < 2; ++round) {
        for (auto& one : s.instances) {
            CHECK(setup::more(clients));
            CHECK(one.stop());
            CHECK(setup::more(clients));
            one.start();
            REQUIRE(s.ready(2));
        }
    }
    CHECK(setup::more(clients));
    clients.end();
    for (auto const& [status, count] : clients.statuses()) {
        INFO(status << ": " << count);
        CHECK((status == "GET 200" || status == "POST 200"));
    }
    for (auto const& [body, status] : clients.posts())
        if (s.book.times(body) != 1) FAIL("POST " << body << " ran " << s.book.times(body) << " times: " << status);
}

TEST_CASE("an instance killed under load: every GET is answered, no POST runs twice", "[gateway][upstream][restart]") {
    setup s;
    REQUIRE(s.ready(2));
    load clients(s.gateway.port(), 8);
    for (auto& one : s.instances) {
        CHECK(setup::more(clients));
        one.kill();
        CHECK(setup::more(clients));
        one.start();
        REQUIRE(s.ready(2));
        REQUIRE(one.serves());
    }
    clients.end();
    for (auto const& [status, count] : clients.statuses()) {
        INFO(status << ": " << count);
        CHECK((status == "GET 200" || status == "POST 200" || status == "POST 500"));
    }
    for (auto const& [body, status] : clients.posts()) {
        auto const times = s.book.times(body);
        if (times > 1 || (status == 200 && times != 1))
            FAIL("POST " << body << " ran " << times << " times: " << status);
    }
}

} // namespace restart_test
