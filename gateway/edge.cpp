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
        if (with_admin) start_admin(context, shared);
        // Last: what fails above has taken no connection from a program that runs already.
        for (auto& one : listeners_) one->start();
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
        give_way();
        auto const until = clock_.now() + worker_->settings.drain_delay;
        waiting_ = clock_.subscribe([this, until](coarse_clock::time_point now) {
            if (worker_->closing) {
                if (now >= until + first_request_patience) end_unused();
            } else if (now >= until) {
                stop_taking();
            } else {
                give_way(); // a successor may have begun meanwhile
            }
        });
    }
    [[nodiscard]] bool idle() const noexcept override {
        return listeners_.empty() && worker_->busy.empty() && worker_->idle.empty();
    }
    void close() override {
        stop_taking();
        end_unused();
        for (auto* one : worker_->busy) one->close();
        if (admin_server_) admin_server_->close();
    }

private:
    void start_admin(asio::io_context& context, shared_parts& shared) {
        admin_ = std::make_unique<admin>(shared.registry, *worker_);
        http::server_settings admin_settings;
        admin_settings.listen = shared.settings.admin_listen;
        admin_server_.emplace(context, clock_, admin_settings, *admin_);
    }
    // Who asks this address for readiness then hears of the successor.
    void give_way() noexcept {
        for (auto& one : listeners_) one->give_way();
        if (admin_server_) admin_server_->give_way();
    }
    void stop_taking() {
        worker_->closing = true;
        for (auto& one : listeners_) one->close();
        listeners_.clear();
        for (auto* one : worker_->idle) one->end_if_served();
    }
    void end_unused() {
        stop_waiting();
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
