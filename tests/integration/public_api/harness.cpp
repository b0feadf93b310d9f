#include "integration/public_api/harness.hpp"

#include "integration/support/http_server_harness.hpp"
#include "public_api/app.hpp"

#include <boost/asio/post.hpp>
#include <future>
#include <thread>

namespace recruiting::test {
namespace {

public_api::settings settings_for(std::string const& database_url) {
    public_api::settings config;
    config.threads = 1;
    config.api.listen = {"127.0.0.1", 0, {}};
    config.admin_listen = {"127.0.0.1", 0, {}};
    config.database_url = database_url;
    config.database_timeout = std::chrono::milliseconds{2000};
    config.cursor_secret = "a secret of thirty-two bytes or so";
    config.trusted_proxies = {*parse_network("127.0.0.0/8")};
    return config;
}

} // namespace

struct public_api_harness::state {
    explicit state(public_api::settings const& wanted)
        : config(wanted), shared(config, 1), ticks(context, std::chrono::milliseconds{10}),
          app(std::make_unique<public_api::app>(shared, context, ticks, 0)), port(app->local().port),
          admin_port(app->local_admin().port) {
        app->listen();
        thread = std::thread([this] { context.run(); });
    }

    public_api::settings config;
    public_api::shared_parts shared;
    asio::io_context context{1};
    ticker ticks;
    std::unique_ptr<public_api::app> app;
    std::uint16_t port;
    std::uint16_t admin_port;
    std::thread thread;
};

public_api_harness::public_api_harness(std::string const& database_url, bool database_is_there,
                                       std::function<void(public_api::settings&)> const& change) {
    auto config = settings_for(database_url);
    if (change) change(config);
    state_ = std::make_unique<state>(config);
    if (database_is_there && !eventually([this] { return database_ready() && snapshots() > 0; }))
        throw std::runtime_error("the public API did not reach its database");
}

public_api_harness::~public_api_harness() {
    std::promise<void> closed;
    asio::post(state_->context, [&] {
        state_->app->drain();
        state_->app->close();
        closed.set_value();
    });
    closed.get_future().wait();
    state_->context.stop();
    state_->thread.join();
    state_->app.reset();
}

std::uint16_t public_api_harness::port() const { return state_->port; }
std::uint16_t public_api_harness::admin_port() const { return state_->admin_port; }
std::string public_api_harness::metrics() const { return state_->shared.registry.render(); }
bool public_api_harness::database_ready() const { return state_->shared.database_ready[0]; }
std::uint64_t public_api_harness::snapshots() const { return state_->shared.published.version(); }

} // namespace recruiting::test
