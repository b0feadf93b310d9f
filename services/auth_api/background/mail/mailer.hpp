// Sends the mails of the outbox (proto-docs/mail.md). Any number of instances at once: a mail belongs to one sender at
// a time, by a lease. Killed at any instant, each mail is sent at least once, and once more at most for each kill.
#pragma once
#include "async/periodic_task.hpp"
#include "auth_api/background/settings.hpp"
#include "pg/pipeline.hpp"
#include "telemetry/metrics.hpp"
#include "telemetry/span.hpp"

#include <memory>
#include <vector>

namespace recruiting::auth_api::mailing {

class mail_sender;

class mailer {
public:
    /// connection is the mailer's own and outlives this.
    mailer(asio::io_context& context, pg::pipeline& connection, mail_settings settings, metrics::registry& metrics,
           tracing::tracer const* tracer = nullptr);
    /// Drops what is in progress.
    ~mailer();
    mailer(mailer const&) = delete;
    mailer& operator=(mailer const&) = delete;

    /// Stops taking mails; those that a server is taking are finished, the others given back.
    void stop();
    [[nodiscard]] bool idle() const noexcept;

private:
    std::shared_ptr<mail_sender> sender_;
    std::vector<std::shared_ptr<periodic_task>> sending_;
    std::shared_ptr<periodic_task> observing_;
};

} // namespace recruiting::auth_api::mailing
