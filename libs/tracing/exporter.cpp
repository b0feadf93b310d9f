#include "tracing/exporter.hpp"

#include "async/ticker.hpp"
#include "core/ids.hpp"
#include "core/log.hpp"
#include "core/settings.hpp"
#include "core/url.hpp"
#include "tracing/delivery.hpp"
#include "tracing/otlp_json.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

namespace recruiting::tracing {
namespace {

constexpr std::uint64_t response_limit = 64 * 1024;

// Attributes that are set win over those that every program has.
resource resource_of(trace_settings const& settings, std::string service) {
    resource out{settings.attributes, std::string(version())};
    auto const add = [&out](std::string key, std::string value) {
        for (auto const& given : out.attributes)
            if (given.first == key) return;
        out.attributes.emplace_back(std::move(key), std::move(value));
    };
    add("service.name", std::move(service));
    add("service.version", out.version);
    add("service.instance.id", to_dashed_string(new_record_id()));
    return out;
}

struct counters {
    metrics::registry& registry;
    metrics::counter& exported =
        registry.add_counter("recruiting_trace_spans_exported_total", "Spans that the collector accepted.");
    metrics::counter& queue_full = add_dropped("queue_full"); // the collector is too slow, or unavailable
    metrics::counter& rejected = add_dropped("rejected");     // by the collector, or tried too often
    metrics::counter& shutdown = add_dropped("shutdown");     // no time was left

    [[nodiscard]] metrics::counter& add_dropped(std::string const& reason) const {
        return registry.add_counter("recruiting_trace_spans_dropped_total",
                                    "Spans that reached no collector, by reason.", "reason=\"" + reason + "\"");
    }
};

} // namespace

class exporter::state final : public span_sink {
public:
    state(trace_settings settings, std::string service, metrics::registry& registry)
        : settings_(std::move(settings)), queue_(static_cast<std::size_t>(settings_.queue)),
          batch_(std::min(queue_, static_cast<std::size_t>(settings_.batch))),
          resource_(resource_of(settings_, std::move(service))), counters_{registry} {
        if (settings_.endpoint.empty()) return;
        spawn(io_, run());
        thread_ = std::jthread([this] { io_.run(); });
    }
    ~state() {
        if (!thread_.joinable()) return;
        asio::post(io_, [this] { stop(); });
        thread_.join();
    }
    state(state const&) = delete;
    state& operator=(state const&) = delete;

    [[nodiscard]] bool exports() const noexcept { return thread_.joinable(); }
    void take(std::unique_ptr<span_data> ended) noexcept override;

private:
    task<void> run();
    task<void> deliver(span_list batch);
    task<transfer::http_result> send(std::string body);
    task<void> wait_for_more();
    task<void> wait_before_retry(std::chrono::seconds pause);
    [[nodiscard]] span_list next_batch();
    [[nodiscard]] std::size_t waiting();
    [[nodiscard]] transfer::http_request request_with(std::string body) const;
    void note(delivery const& what, std::size_t spans);
    void stop();
    void give_up() noexcept;

    trace_settings const settings_;
    std::size_t const queue_;
    std::size_t const batch_; // at most what the queue holds: a full queue is sent at once
    resource const resource_;
    counters counters_;
    std::mutex mutex_;
    std::deque<std::unique_ptr<span_data>> waiting_; // under mutex_

    // The thread's own.
    asio::io_context io_{1};
    timer_type timer_{io_};
    timer_type flush_timer_{io_};
    transfer::engine engine_{io_};
    transfer::http_exchange* in_flight_{nullptr};
    bool woken_{false};
    bool stopping_{false};
    bool gave_up_{false};
    bool failing_{false};
    std::jthread thread_; // last: it uses all of the above
};

void exporter::state::take(std::unique_ptr<span_data> ended) noexcept {
    try {
        std::unique_lock lock(mutex_);
        if (waiting_.size() >= queue_) {
            lock.unlock();
            return counters_.queue_full.add();
        }
        waiting_.push_back(std::move(ended));
        bool const batch_is_full = waiting_.size() == batch_;
        lock.unlock();
        if (!batch_is_full) return;
        asio::post(io_, [this] {
            woken_ = true;
            timer_.cancel();
        });
    } catch (std::exception const&) { // no memory: a span is the last thing it is needed for
        counters_.queue_full.add();
    }
}

std::size_t exporter::state::waiting() {
    std::lock_guard const lock(mutex_);
    return waiting_.size();
}

span_list exporter::state::next_batch() {
    span_list batch;
    std::lock_guard const lock(mutex_);
    auto const size = std::min(waiting_.size(), batch_);
    batch.reserve(size);
    for (std::size_t i = 0; i < size; ++i) {
        batch.push_back(std::move(waiting_.front()));
        waiting_.pop_front();
    }
    return batch;
}

task<void> exporter::state::run() {
    for (;;) {
        bool const enough = waiting() >= batch_;
        if (!enough && !stopping_) co_await wait_for_more();
        auto batch = next_batch();
        if (!batch.empty()) co_await deliver(std::move(batch));
        else if (stopping_) break;
    }
    flush_timer_.cancel();
    io_.stop();
}

task<void> exporter::state::wait_for_more() {
    if (std::exchange(woken_, false)) co_return;
    timer_.expires_after(settings_.interval);
    auto const [cancelled] = co_await timer_.async_wait(use_task_tuple);
    static_cast<void>(cancelled);
    woken_ = false;
}

// A queue that fills up meanwhile cancels the timer too: that is no reason to press the collector.
task<void> exporter::state::wait_before_retry(std::chrono::seconds pause) {
    auto const until = coarse_clock::now() + pause;
    while (!stopping_ && coarse_clock::now() < until) {
        timer_.expires_at(until);
        auto const [cancelled] = co_await timer_.async_wait(use_task_tuple);
        static_cast<void>(cancelled);
    }
}

task<void> exporter::state::deliver(span_list batch) {
    auto const body = export_request(resource_, batch);
    auto const spans = batch.size();
    batch.clear();
    for (unsigned attempts = 1; !gave_up_; ++attempts) {
        auto copy = body;
        auto const got = co_await send(std::move(copy));
        if (gave_up_) break;
        auto const what = classify_delivery(got, spans, attempts);
        note(what, spans);
        if (what.what != delivery::kind::again) co_return;
        if (stopping_) break;
        co_await wait_before_retry(what.pause);
    }
    counters_.shutdown.add(spans);
}

task<transfer::http_result> exporter::state::send(std::string body) {
    transfer::http_exchange exchange(engine_, request_with(std::move(body)));
    in_flight_ = &exchange;
    auto got = co_await exchange.run();
    in_flight_ = nullptr;
    co_return got;
}

transfer::http_request exporter::state::request_with(std::string body) const {
    transfer::http_request out;
    out.method = transfer::http_request::verb::post;
    out.url = url_below(settings_.endpoint, "/v1/traces");
    out.headers = settings_.headers;
    out.headers.emplace_back("Content-Type: application/json");
    out.headers.push_back("User-Agent: recruiting/" + resource_.version);
    out.body = std::move(body);
    out.timeout = settings_.timeout;
    out.connect_timeout = settings_.timeout;
    out.response_limit = response_limit;
    out.ca_file = settings_.ca_file;
    return out;
}

// Logged once when failures begin and once when they end, not with every batch.
void exporter::state::note(delivery const& what, std::size_t spans) {
    bool const accepted = what.what == delivery::kind::accepted;
    if (accepted) counters_.exported.add(spans - what.rejected);
    counters_.rejected.add(what.what == delivery::kind::refused ? spans : what.rejected);
    if (accepted && failing_) log::info("trace_export_recovered");
    if (!accepted && !failing_) log::warning("trace_export_failed", {{"message", what.why}});
    failing_ = !accepted;
}

void exporter::state::stop() {
    stopping_ = true;
    woken_ = true;
    flush_timer_.expires_after(settings_.flush_timeout);
    flush_timer_.async_wait([this](boost::system::error_code cancelled) {
        if (!cancelled) give_up();
    });
    timer_.cancel();
}

void exporter::state::give_up() noexcept {
    gave_up_ = true;
    if (in_flight_ != nullptr) in_flight_->cancel();
    timer_.cancel();
}

exporter::exporter(trace_settings const& settings, std::string service, metrics::registry& registry)
    : state_(std::make_unique<state>(settings, std::move(service), registry)) {}
exporter::~exporter() = default;

span_sink* exporter::sink() noexcept { return state_->exports() ? state_.get() : nullptr; }

} // namespace recruiting::tracing
