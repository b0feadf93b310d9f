#include "async/listener.hpp"
#include "gateway/session.hpp"
#include "http/admin.hpp"

namespace recruiting::gateway {
namespace {

// Neither Redis nor an unavailable service makes the gateway unready: it counts locally, and returns 503 itself;
// /readyz only reports them. A drain does.
http::admin_handler admin_of(shared_parts const& shared, worker const& first) {
    auto const either = [](bool good, char const* bad) { return std::string(good ? "" : bad); };
    auto const is_up = [either, &first](service which) {
        auto const& to = first.upstreams[static_cast<std::size_t>(which)];
        return [either, &to] { return either(to.is_up(), "unavailable: returning 503"); };
    };
    return {shared.registry,
            {{"gateway", [either, &first] { return either(!first.draining, "draining"); }}},
            {{"redis",
              [either, &first] { return either(first.rate_limiter.is_connected(), "unavailable: counting locally"); }},
             {"authApi", is_up(service::auth_api)},
             {"publicApi", is_up(service::public_api)}}};
}

class gateway_thread final : public http::thread_part {
public:
    gateway_thread(asio::io_context& context, ticker& clock, shared_parts& shared, time_source const& time,
                   bool with_admin)
        : clock_(clock), worker_(std::make_shared<worker>(context, clock, shared, time)) {
        for (auto const& one : shared.settings.listeners.all()) {
            auto const take = [of = worker_, kind = one.kind](stream_socket connected, auto const& remote) {
                begin_session(of, kind, std::move(connected), remote);
            };
            listeners_.push_back(
                std::make_unique<listener>(context, one.where, worker_->settings.thread_count(), take));
        }
        if (with_admin) make_admin(context, shared);
        ticks_ = clock_.subscribe([this](coarse_clock::time_point now) { on_tick(now); });
    }
    ~gateway_thread() override {
        clock_.unsubscribe(ticks_);
        listeners_.clear();
        admin_server_.reset();
        worker_->stop();
    }

    [[nodiscard]] std::string fault() override { return {}; }
    void listen() override {
        for (auto& one : listeners_) one->start();
        if (admin_server_) admin_server_->listen();
    }
    // First what comes is still taken, answered with Connection: close, while load balancers and a successor take over;
    // then nothing new is, and idle connections end.
    // The delay is counted from now: a whole tick may have passed since the thread's own time.
    void drain() override {
        worker_->draining = true;
        for (auto& one : listeners_) one->divert_new_connections();
        if (admin_server_) admin_server_->divert_new_connections(); // the successor answers readiness checks there
        next_step_ = coarse_clock::now() + worker_->settings.drain_delay;
    }
    [[nodiscard]] bool idle() const noexcept override { return listeners_.empty() && worker_->sessions.empty(); }
    void close() override {
        stop_taking();
        end_unused();
        for (auto* one : worker_->sessions.unfinished) one->close();
        for (auto const& of_service : worker_->sessions.withheld)
            for (auto* one : of_service) one->close();
        for (auto* one : worker_->sessions.busy) one->close();
        if (admin_server_) admin_server_->close();
    }

private:
    void on_tick(coarse_clock::time_point now) {
        free_permits(*worker_, now);
        for (auto& one : listeners_) one->on_tick(now);
        if (now < next_step_) return;
        if (worker_->closing) end_unused();
        else stop_taking();
    }
    void make_admin(asio::io_context& context, shared_parts& shared) {
        admin_.emplace(admin_of(shared, *worker_));
        admin_server_.emplace(context, clock_, shared.settings.admin_server(), *admin_);
    }
    void stop_taking() {
        worker_->closing = true;
        next_step_ = clock_.now() + first_request_limit;
        for (auto& one : listeners_) one->stop();
        listeners_.clear();
        for (auto* one : worker_->sessions.idle) one->end_if_quiet();
    }
    void end_unused() {
        for (auto* one : worker_->sessions.unfinished) one->end_if_unused();
        for (auto* one : worker_->sessions.idle) one->close();
    }

    ticker& clock_;
    std::shared_ptr<worker> worker_;
    std::vector<std::unique_ptr<listener>> listeners_;
    std::optional<http::admin_handler> admin_;
    std::optional<http::server> admin_server_;
    ticker::subscription ticks_;
    coarse_clock::time_point next_step_{coarse_clock::time_point::max()}; // of the drain
};

} // namespace

std::unique_ptr<http::thread_part> make_gateway_thread(asio::io_context& context, ticker& clock, shared_parts& shared,
                                                       time_source const& time, bool with_admin) {
    return std::make_unique<gateway_thread>(context, clock, shared, time, with_admin);
}

} // namespace recruiting::gateway
