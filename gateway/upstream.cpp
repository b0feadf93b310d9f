#include "gateway/upstream.hpp"

#include <algorithm>
#include <boost/asio/ip/basic_resolver.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <utility>

namespace recruiting::gateway {
namespace {

using timer_type = asio::basic_waitable_timer<coarse_clock, asio::wait_traits<coarse_clock>, io_executor>;
using resolver_type = asio::ip::basic_resolver<asio::ip::tcp, io_executor>;

std::string labels(std::string const& service) { return "service=\"" + service + "\""; }

} // namespace

upstream_metrics::upstream_metrics(metrics::registry& registry, std::string const& service)
    : connects(
          registry.add_counter("gateway_upstream_connects_total", "Connections made to a service.", labels(service))),
      connect_failures(registry.add_counter("gateway_upstream_connect_failures_total",
                                            "Attempts to connect to a service that failed.", labels(service))),
      losses(registry.add_counter("gateway_upstream_losses_total",
                                  "Requests whose service was lost, or broken, before its answer was whole.",
                                  labels(service))),
      up(registry.add_gauge("gateway_upstream_up", "Whether the last attempt to connect succeeded.", labels(service))) {
    up.set(1);
}

upstream::upstream(asio::io_context& context, ticker& clock, stream_watch& watch, upstream_settings settings,
                   upstream_metrics& counters)
    : context_(context), clock_(clock), watch_(watch), settings_(std::move(settings)), metrics_(counters),
      name_(settings_.address.unix_path.empty() ? to_string(settings_.address) : "localhost"),
      subscription_(clock.subscribe([this](coarse_clock::time_point now) { drop_stale(now); })) {}

void upstream::stop() noexcept {
    if (std::exchange(stopped_, true)) return;
    clock_.unsubscribe(subscription_);
    idle_.clear();
}

// Also those the service closed meanwhile: their next request would be lost.
void upstream::drop_stale(coarse_clock::time_point now) {
    std::erase_if(idle_, [&](handle const& one) {
        return now - one->idle_since > settings_.idle_timeout || !one->io.seems_quiet();
    });
}

upstream::handle upstream::take_idle(bool checked) {
    while (!idle_.empty()) {
        auto last = std::move(idle_.back());
        idle_.pop_back();
        if (checked ? !last->io.is_quiet() : !last->io.seems_quiet()) continue;
        last->reused = true;
        return last;
    }
    return nullptr;
}

void upstream::give_back(handle connection) {
    if (stopped_ || idle_.size() >= settings_.idle_most) return;
    connection->idle_since = clock_.now();
    idle_.push_back(std::move(connection));
}

task<bool> upstream::open(socket_type& socket) {
    boost::system::error_code ignored;
    if (!settings_.address.unix_path.empty()) {
        asio::generic::stream_protocol::endpoint const there =
            asio::local::stream_protocol::endpoint(settings_.address.unix_path);
        auto const [error] = co_await socket.async_connect(there, use_task_tuple);
        co_return !error;
    }
    auto const address = asio::ip::make_address(settings_.address.host, ignored);
    std::vector<asio::ip::tcp::endpoint> candidates{{address, settings_.address.port}};
    if (ignored) { // a name
        resolver_type resolver(context_);
        auto const port = std::to_string(settings_.address.port);
        auto const [error, found] = co_await resolver.async_resolve(settings_.address.host, port, use_task_tuple);
        candidates.assign(found.begin(), found.end());
    }
    for (auto const& candidate : candidates) {
        socket.close(ignored);
        asio::generic::stream_protocol::endpoint const there = candidate;
        auto const [error] = co_await socket.async_connect(there, use_task_tuple);
        if (error) continue;
        socket.set_option(asio::ip::tcp::no_delay(true), ignored);
        co_return true;
    }
    co_return false;
}

task<upstream::handle> upstream::connect() {
    socket_type socket(context_);
    timer_type limit(context_, settings_.connect_timeout);
    auto const running = std::make_shared<bool>(true); // the timer's handler may run after this coroutine is done
    auto const give_up = [&socket, running](boost::system::error_code cancelled) {
        boost::system::error_code ignored;
        if (!cancelled && *running) socket.close(ignored);
    };
    limit.async_wait(give_up);
    bool const good = co_await open(socket);
    *running = false;
    (good ? metrics_.connects : metrics_.connect_failures).add();
    metrics_.up.set(good ? 1 : 0);
    handle made;
    if (good && socket.is_open()) made = std::make_unique<upstream_connection>(std::move(socket), watch_);
    co_return made;
}

} // namespace recruiting::gateway
