#include "gateway/edge.hpp"

#include "gateway/admin.hpp"
#include "gateway/client_listener.hpp"
#include "gateway/session.hpp"
#include "http/server.hpp"

namespace recruiting::gateway {
namespace {

class edge final : public http::thread_part {
public:
    edge(asio::io_context& context, ticker& clock, shared_parts& shared, time_source const& time, bool with_admin)
        : clock_(clock), worker_(std::make_shared<worker>(context, clock, shared, time)) {
        for (auto const& one : shared.settings.listeners.all())
            listeners_.push_back(std::make_unique<client_listener>(context, one, worker_));
        if (!with_admin) return;
        admin_ = std::make_unique<admin>(shared.registry, *worker_);
        http::server_settings admin_settings;
        admin_settings.listen = shared.settings.admin_listen;
        admin_server_.emplace(context, clock, admin_settings, *admin_);
    }
    ~edge() override {
        stop_waiting();
        listeners_.clear();
        admin_server_.reset();
        worker_->stop();
    }

    // First what comes is still taken, answered with Connection: close, while load balancers and a successor take over;
    // then nothing new is, and idle connections end.
    void drain() override {
        worker_->draining = true;
        for (auto& one : listeners_) one->give_way();
        auto const until = clock_.now() + worker_->settings.drain_delay;
        waiting_ = clock_.subscribe([this, until](coarse_clock::time_point now) {
            if (now >= until) stop_taking();
        });
    }
    [[nodiscard]] bool idle() const noexcept override {
        return listeners_.empty() && worker_->busy.empty() && worker_->idle.empty();
    }
    void close() override {
        stop_taking();
        for (auto* one : worker_->busy) one->close();
        if (admin_server_) admin_server_->close();
    }

private:
    void stop_taking() {
        stop_waiting();
        worker_->closing = true;
        for (auto& one : listeners_) one->close();
        listeners_.clear();
        for (auto* one : worker_->idle) one->close();
    }
    void stop_waiting() {
        if (waiting_) clock_.unsubscribe(*std::exchange(waiting_, std::nullopt));
    }

    ticker& clock_;
    std::shared_ptr<worker> worker_;
    std::vector<std::unique_ptr<client_listener>> listeners_;
    std::unique_ptr<admin> admin_;
    std::optional<http::server> admin_server_;
    std::optional<ticker::subscription> waiting_; // while draining
};

} // namespace

std::unique_ptr<http::thread_part> make_edge(asio::io_context& context, ticker& clock, shared_parts& shared,
                                             time_source const& time, bool with_admin) {
    return std::make_unique<edge>(context, clock, shared, time, with_admin);
}

} // namespace recruiting::gateway
