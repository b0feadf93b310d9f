#include "auth_api/app.hpp"
#include "core/log.hpp"
#include "http/healthcheck.hpp"
#include "telemetry/process_metrics.hpp"
#include "tracing/exporter.hpp"

int main(int argc, char* argv[]) {
    using namespace recruiting;
    auth_api::settings config;
    settings_reader reader("recruiting-auth-api", "the authenticated API, /api/v1", "RECRUITING_AUTH_API_");
    auth_api::declare(reader, config);
    reader.on_healthcheck([&config] { return http::check_health(config.admin_listen); });
    if (auto const code = reader.load(argc, argv)) return *code;
    config.effective = reader.effective();
    log::configure("auth-api", config.log);

    metrics::registry registry;
    tracing::exporter spans(config.trace, "recruiting-auth-api", registry);
    tracing::tracer const tracer(config.trace.share, spans.sink());
    http::run_options options;
    options.threads = config.threads == 0 ? http::default_threads() : static_cast<unsigned>(config.threads);
    options.drain_timeout = config.drain_delay + config.drain_timeout;
    metrics::add_process_metrics(registry, "auth-api");
    auth_api::shared_parts shared{config, registry, tracer, std::vector<std::atomic<bool>>(options.threads)};
    return http::run_threads(options, registry, [&](asio::io_context& context, ticker& clock, unsigned index) {
        return auth_api::make_app(shared, context, clock, index);
    });
}
