// recruiting-gateway: settings → shared parts → a thread per core, each with a listener and connections of its own.
#include "gateway/worker.hpp"
#include "telemetry/metrics.hpp"

#include <iostream>
#include <memory>
#include <sys/resource.h>

namespace {

// Each connection is a descriptor: as many as the system lets this process have.
void raise_descriptor_limit() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    limit.rlim_cur = limit.rlim_max;
    static_cast<void>(::setrlimit(RLIMIT_NOFILE, &limit));
}

} // namespace

int main(int argc, char** argv) {
    using namespace recruiting;
    gateway::gateway_settings settings;
    if (auto const code = gateway::load_settings(argc, argv, settings)) return *code;
    log::configure("gateway", settings.log);

    raise_descriptor_limit();
    http::thread_options options;
    options.threads = settings.thread_count();
    options.drain_timeout = settings.drain_timeout;
    options.admin = settings.admin_listen;
    // Not on the stack, where g++ 12's AddressSanitizer does not align it.
    std::unique_ptr<gateway::shared_parts> shared;
    try {
        shared = std::make_unique<gateway::shared_parts>(std::move(settings));
    } catch (std::exception const& error) {
        std::cerr << "recruiting-gateway: " << error.what() << '\n';
        return 1;
    }
    options.reload = [&shared] { shared->reload(); };
    metrics::add_process_metrics(shared->registry, "gateway");
    return http::run_threads(
        options, shared->registry, [&shared](asio::io_context& context, ticker& clock, unsigned index) {
            return gateway::make_gateway_thread(context, clock, *shared, system_time(), index == 0);
        });
}
