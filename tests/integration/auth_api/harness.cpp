#include "integration/auth_api/harness.hpp"

#include "auth_api/app.hpp"
#include "auth_api/console/dispatcher.hpp"
#include "integration/support/http_server_harness.hpp"
#include "support/directory.hpp"

#include <boost/asio/post.hpp>
#include <future>
#include <stdexcept>
#include <thread>

namespace recruiting::test {

struct auth_api_harness::state {
    state(std::string const& database_url, bool workers, adjustment const& adjust)
        : config(settings_for(database_url, workers, adjust)), ticks(context, std::chrono::milliseconds{10}),
          changes(config.console.is_on() ? std::make_unique<auth_api::console::change_pool>(
                                               auth_api::console::pool_settings_of(config), config)
                                         : nullptr) {
        if (changes) shared.pages = auth_api::console::read_pages(config.console.folder);
        shared.changes = changes.get();
        app = auth_api::make_app(shared, context, ticks, 0);
        app->listen();
        thread = std::thread([this] { context.run(); });
    }

    template <class Work>
    auto on_thread(Work work) {
        std::packaged_task<decltype(work())()> packaged(std::move(work));
        auto outcome = packaged.get_future();
        asio::post(context, std::move(packaged));
        return outcome.get();
    }

    auth_api::settings config;
    metrics::registry registry;
    tracing::tracer const tracer{0, nullptr};
    auth_api::shared_parts shared{config, registry, tracer, std::vector<std::atomic<bool>>(1)};
    asio::io_context context{1};
    ticker ticks;
    std::unique_ptr<auth_api::console::change_pool> changes;
    std::unique_ptr<http::thread_part> app;
    std::thread thread;
};

auth_api::settings auth_api_harness::settings_for(std::string const& database_url, bool workers,
                                                  adjustment const& adjust) {
    auth_api::settings config;
    config.api.listen = {"127.0.0.1", own_port(), {}};
    config.admin_listen = {"127.0.0.1", own_port(), {}};
    config.database_url = database_url;
    config.peppers.current = test_key_settings().pepper;
    config.cursor_secret = "a secret of thirty-two bytes or so";
    config.statement_timeout = std::chrono::milliseconds{2000};
    config.seal_interval = std::chrono::milliseconds{50};
    config.workers = workers;
    if (adjust) adjust(config);
    return config;
}

auth_api_harness::auth_api_harness(std::string const& database_url, bool workers, adjustment const& adjust)
    : state_(std::make_unique<state>(database_url, workers, adjust)) {
    if (!eventually([this] { return ready(); })) throw std::runtime_error("auth-api did not reach its database");
}

auth_api_harness::~auth_api_harness() {
    state_->on_thread([this] {
        state_->app->drain();
        state_->app->close();
    });
    state_->context.stop();
    state_->thread.join();
    state_->app.reset();
}

http_answer auth_api_harness::get(std::string const& path, std::string const& secret, std::string const& lines,
                                  std::string const& method) const {
    http_client client(state_->config.api.listen.port);
    auto const authorization = secret.empty() ? std::string() : "Authorization: Bearer " + secret + "\r\n";
    return client.get("/api/v1" + path, authorization + lines, method);
}

http_answer auth_api_harness::post(std::string const& path, std::string const& secret, std::string const& body,
                                   std::string const& lines) const {
    http_client client(state_->config.api.listen.port, std::chrono::seconds{30});
    client.send(post_text(path, secret, body, lines));
    return client.receive();
}

http_answer auth_api_harness::send(std::string_view bytes) const {
    http_client client(state_->config.api.listen.port);
    client.send(bytes);
    return client.receive();
}

void auth_api_harness::post_and_leave(std::string const& path, std::string const& secret, std::string const& body,
                                      std::string const& lines, std::function<bool()> const& leave) const {
    http_client const client(state_->config.api.listen.port);
    client.send(post_text(path, secret, body, lines));
    if (!eventually(leave)) throw std::runtime_error("the client waited for nothing");
}

std::string auth_api_harness::post_text(std::string const& path, std::string const& secret, std::string const& body,
                                        std::string const& lines) const {
    auto const authorization = secret.empty() ? std::string() : "Authorization: Bearer " + secret + "\r\n";
    return "POST /api/v1" + path + " HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nContent-Length: " +
           std::to_string(body.size()) + "\r\n" + authorization + lines + "\r\n" + body;
}

void auth_api_harness::drain() {
    state_->on_thread([this] { state_->app->drain(); });
}

bool auth_api_harness::drained() const {
    return state_->on_thread([this] { return state_->app->idle(); });
}

bool auth_api_harness::ready() const {
    http_client client(state_->config.admin_listen.port);
    return client.get("/readyz").status == 200;
}

} // namespace recruiting::test
