// Sends the mails of the outbox (design: Booking). Any number of instances at once: a mail belongs to one sender at a
// time, by a lease. Killed at any instant, each mail is sent at least once, and once more at most for each kill.
#pragma once
#include "auth_api/background/mail/settings.hpp"
#include "pg/pipeline.hpp"
#include "telemetry/metrics.hpp"
#include "telemetry/span.hpp"

#include <memory>

namespace recruiting::auth_api::mailing {

class mailer {
public:
    /// connection is the mailer's own and outlives this.
    mailer(asio::io_context& context, pg::pipeline& connection, mail_settings settings, metrics::registry& metrics,
           tracing::tracer const* tracer = nullptr);
    /// Drops what is under way.
    ~mailer();
    mailer(mailer const&) = delete;
    mailer& operator=(mailer const&) = delete;

    /// Takes no more mails; those that a server is taking are finished, the others given back.
    void stop();
    [[nodiscard]] bool idle() const noexcept;

private:
    struct state;
    std::shared_ptr<state> state_;
};

} // namespace recruiting::auth_api::mailing
