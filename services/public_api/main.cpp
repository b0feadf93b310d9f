// recruiting-public-api: what organizations have published, for browsers and anyone. Settings → shared parts → threads.
#include "public_api/app.hpp"
#include "telemetry/metrics.hpp"

#include <iostream>
#include <memory>

int main(int argc, char** argv) {
    using namespace recruiting;
    public_api::settings config;
    if (auto const done = public_api::load(config, argc, argv)) return *done;
    log::configure("public-api", config.log);

    auto const threads = config.thread_count();
    std::unique_ptr<public_api::shared_parts> shared;
    try {
        shared = std::make_unique<public_api::shared_parts>(config, threads);
    } catch (std::exception const& error) {
        std::cerr << "recruiting-public-api: " << error.what() << '\n';
        return 1;
    }
    http::thread_options options;
    options.threads = threads;
    options.drain_timeout = config.drain_delay + config.drain_timeout;
    options.admin = config.admin_listen;
    metrics::add_process_metrics(shared->registry, "public-api");
    return http::run_threads(options, shared->registry,
                             [&shared](asio::io_context& context, ticker& clock, unsigned index) {
                                 return std::make_unique<public_api::app>(*shared, context, clock, index);
                             });
}
