// recruiting-public-api: what organizations have published, for browsers and anyone. Settings → shared parts → threads.
#include "public_api/app.hpp"
#include "telemetry/process_metrics.hpp"

int main(int argc, char** argv) {
    using namespace recruiting;
    public_api::settings config;
    if (auto const done = public_api::load(config, argc, argv)) return *done;
    log::configure("public-api", config.log);

    auto const threads = config.threads == 0 ? http::default_threads() : static_cast<unsigned>(config.threads);
    public_api::shared_parts shared(config, threads);
    http::run_options const options{threads, config.drain_delay + config.drain_timeout};
    metrics::add_process_metrics(shared.registry, "public-api");
    return http::run_threads(options, shared.registry,
                             [&shared](asio::io_context& context, ticker& clock, unsigned index) {
                                 return std::make_unique<public_api::app>(shared, context, clock, index);
                             });
}
