#include "auth_api/app.hpp"
#include "auth_api/console/dispatcher.hpp"
#include "core/log.hpp"
#include "telemetry/metrics.hpp"
#include "tracing/exporter.hpp"

#include <cstdio>
#include <optional>
#include <stdexcept>

int main(int argc, char* argv[]) {
    using namespace recruiting;
    auth_api::settings config;
    settings_reader reader("recruiting-auth-api", "the authenticated API, /api/v1", "RECRUITING_AUTH_API_");
    auth_api::declare(reader, config);
    if (auto const code =
            http::load(reader, config, argc, argv, [&config] { return auth_api::connections_of(config); }))
        return *code;
    config.complete();
    log::configure("auth-api", config.log);

    metrics::registry registry;
    tracing::exporter spans(config.trace, "recruiting-auth-api", registry);
    tracing::tracer const tracer(config.trace.share, spans.sink());
    http::thread_options options;
    options.threads = config.thread_count();
    options.drain_timeout = config.drain_delay + config.drain_timeout;
    options.admin = config.admin_listen;
    metrics::add_process_metrics(registry, "auth-api");
    auth_api::shared_parts shared{config, registry, tracer, std::vector<std::atomic<bool>>(options.threads)};
    std::optional<auth_api::console::change_pool> changes;
    if (config.console.is_on()) {
        try {
            shared.pages = auth_api::console::read_pages(config.console.folder);
        } catch (std::runtime_error const& error) {
            std::fprintf(stderr, "recruiting-auth-api: %s\n", error.what());
            return 1;
        }
        shared.changes = &changes.emplace(auth_api::console::pool_settings_of(config), config);
    }
    return http::run_threads(options, registry, [&](asio::io_context& context, ticker& clock, unsigned index) {
        return auth_api::make_app(shared, context, clock, index);
    });
}
