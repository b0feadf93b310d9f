// The kernel gives a connection to any thread of the process: /readyz must speak for all of them.
#include "auth_api/app.hpp"
#include "integration/auth_api/harness.hpp"
#include "integration/support/cut_link.hpp"
#include "integration/support/http_server_harness.hpp"
#include "support/catch.hpp"
#include "support/database.hpp"

#include <thread>

namespace readiness_test {
using namespace recruiting;
using namespace recruiting::test;

namespace {

// A thread of the process, whose connections do nothing until it runs.
class process_thread {
public:
    process_thread(auth_api::shared_parts& shared, unsigned index)
        : app_(auth_api::make_app(shared, context_, ticks_, index)) {
        app_->listen();
    }
    ~process_thread() {
        context_.stop();
        if (thread_.joinable()) thread_.join();
    }
    void run() {
        thread_ = std::thread([this] { context_.run(); });
    }

private:
    asio::io_context context_{1};
    ticker ticks_{context_, std::chrono::milliseconds{10}};
    std::unique_ptr<http::thread_part> app_;
    std::thread thread_;
};

} // namespace

TEST_CASE("the process is ready when every thread has its connections, and again when an outage is over",
          "[auth_api][readiness]") {
    test_database const database;
    cut_link link(database.auth_url());
    auto const config = auth_api_harness::settings_for(link.url(), false, [](auto& of) { of.threads = 2; });
    metrics::registry registry;
    tracing::tracer const tracer{0, nullptr};
    auth_api::shared_parts shared{config, registry, tracer, std::vector<std::atomic<bool>>(2)};
    process_thread first(shared, 0);
    process_thread second(shared, 1);
    auto const readyz = [&] { return http_client(config.admin_listen.port).get("/readyz"); };

    first.run();
    REQUIRE(eventually([&] { return shared.connected[0].load(); }));
    REQUIRE(readyz().status == 503);
    REQUIRE(readyz().body.find(R"("postgres":"unavailable")") != std::string::npos);
    second.run();
    REQUIRE(eventually([&] { return readyz().status == 200; }));

    link.cut();
    REQUIRE(eventually([&] { return readyz().status == 503 && !shared.connected[1]; }));
    link.join(); // nothing is asked of the threads meanwhile
    REQUIRE(eventually([&] { return readyz().status == 200; }));
}

} // namespace readiness_test
