#include "auth_api/background/mail/mailer.hpp"

#include "core/log.hpp"
#include "pg/periodic_task.hpp"

#include <algorithm>

namespace recruiting::auth_api::mailing {
namespace {

constexpr std::chrono::milliseconds outage_interval{200}; // while PostgreSQL is unavailable
constexpr std::chrono::seconds observe_interval{5};

// One of mail_settings::parallel: sends one mail after the other.
class sending_task final : public periodic_task {
public:
    sending_task(asio::io_context& context, std::shared_ptr<mail_sender> shared)
        : periodic_task(context), sender_(std::move(shared)) {}

private:
    task<std::chrono::milliseconds> round() override {
        bool const more = co_await sender_->send_next();
        co_return more ? std::chrono::milliseconds{0} : sender_->settings().interval;
    }
    std::chrono::milliseconds failed(std::exception const& error) override {
        pg::log_failed_round("mailer_failed", error);
        return sender_->settings().interval;
    }

    std::shared_ptr<mail_sender> sender_;
};

// Keeps the gauges of the outbox.
class observing_task final : public periodic_task {
public:
    observing_task(asio::io_context& context, std::shared_ptr<mail_sender> shared)
        : periodic_task(context), sender_(std::move(shared)) {}

private:
    task<std::chrono::milliseconds> round() override {
        co_await sender_->observe();
        co_return observe_interval;
    }
    std::chrono::milliseconds failed(std::exception const& error) override {
        sender_->forget_gauges();
        pg::log_failed_round("mailer_failed", error);
        if (dynamic_cast<outage const*>(&error) != nullptr) return outage_interval;
        return observe_interval;
    }

    std::shared_ptr<mail_sender> sender_;
};

} // namespace

mailer::mailer(asio::io_context& context, pg::pipeline& connection, mail_settings settings, metrics::registry& metrics,
               tracing::tracer const* tracer)
    : sender_(std::make_shared<mail_sender>(context, connection, std::move(settings), metrics, tracer)) {
    if (!sender_->has_transport())
        log::warning("mails_wait", {{"message", "RECRUITING_MAIL_URL is not set: no mail is sent"}});
    auto const parallel = sender_->has_transport() ? sender_->settings().parallel : 0;
    for (std::int64_t i = 0; i < parallel; ++i) sending_.push_back(std::make_shared<sending_task>(context, sender_));
    observing_ = std::make_shared<observing_task>(context, sender_);
    for (auto const& one : sending_) one->start();
    observing_->start();
}

mailer::~mailer() {
    stop();
    sender_->close();
}

void mailer::stop() {
    observing_->stop();
    for (auto const& one : sending_) one->stop();
    sender_->stop();
}

bool mailer::idle() const noexcept {
    return std::ranges::all_of(sending_, [](auto const& one) { return one->has_ended(); });
}

} // namespace recruiting::auth_api::mailing
