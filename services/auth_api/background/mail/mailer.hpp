// Sends the mails of the outbox (proto-docs/mail.md). Any number of instances at once: a mail belongs to one sender at
// a time, by a lease. Killed at any instant, each mail is sent at least once, and once more at most for each kill.
#pragma once
#include "async/periodic_task.hpp"
#include "auth_api/background/mail/compose.hpp"
#include "auth_api/background/mail/mail_transport.hpp"
#include "pg/pipeline.hpp"
#include "telemetry/metrics.hpp"
#include "telemetry/span.hpp"

#include <memory>
#include <random>
#include <vector>

namespace recruiting::auth_api::mailing {

struct mail_metrics {
    explicit mail_metrics(metrics::registry& metrics)
        : sent(attempts(metrics, "sent")), delayed(attempts(metrics, "delayed")), dead(attempts(metrics, "dead")),
          held_back(metrics.add_counter("recruiting_mail_held_back_total",
                                        "Mails that wait for the next UTC day, because their recipient has had as many "
                                        "as it may have on one UTC day.")),
          waiting_now(metrics.add_gauge("recruiting_mail_waiting",
                                        "Mails that wait to be sent; no value while the outbox cannot be queried.")),
          dead_now(metrics.add_gauge("recruiting_mail_dead",
                                     "Dead letters in the outbox; no value while it cannot be queried.")),
          oldest(metrics.add_gauge(
              "recruiting_mail_oldest_waiting_age_seconds",
              "Age of the oldest waiting mail, 0 for none; no value while the outbox cannot be queried.")) {
        forget();
    }

    void observe(outbox_state const& now) {
        waiting_now.set(now.waiting);
        dead_now.set(now.dead);
        oldest.set(now.oldest.count());
    }

    void forget() {
        for (auto* const one : {&waiting_now, &dead_now, &oldest}) one->forget();
    }

    metrics::counter& sent;
    metrics::counter& delayed;
    metrics::counter& dead;
    metrics::counter& held_back;
    metrics::gauge& waiting_now;
    metrics::gauge& dead_now;
    metrics::gauge& oldest;

private:
    static metrics::counter& attempts(metrics::registry& metrics, std::string const& outcome) {
        return metrics.add_counter("recruiting_mail_attempts_total", "Delivery attempts of this process.",
                                   "outcome=\"" + outcome + "\"");
    }
};

/// Sends one mail of the outbox after the other: takes its lease, composes it, hands it over, and writes down how the
/// attempt ended. The mailer's tasks share one.
class mail_sender {
public:
    mail_sender(asio::io_context& context, pg::pipeline& connection, mail_settings settings, metrics::registry& metrics,
                tracing::tracer const* tracer);

    /// False: no mail is due.
    [[nodiscard]] task<bool> send_next();
    /// Sets the gauges from the outbox.
    [[nodiscard]] task<void> observe();
    /// The outbox can't be read: the gauges have no value.
    void forget_gauges() { counts_.forget(); }

    /// Null: no mail server is set, and nothing is sent.
    [[nodiscard]] bool has_transport() const noexcept { return transport_ != nullptr; }
    [[nodiscard]] mail_settings const& settings() const noexcept { return settings_; }
    /// No further mail begins to be sent; those that a server has not begun to take are given back.
    void stop();
    /// connection and metrics are going: drops what is in progress.
    void close();

private:
    /// What logs say of a mail.
    struct mail_facts {
        uuid id;
        std::string_view about;
        std::string_view to;
        attempt_history history;
    };
    task<void> send(lease of, coarse_clock::time_point leased_at);
    task<void> send_to_member(lease of, coarse_clock::time_point leased_at);
    task<attempt_outcome> attempt(std::variant<unsendable, mail::message> composed, mail_facts of,
                                  coarse_clock::time_point leased_at, tracing::parent under);
    task<void> conclude(lease of, mail_facts mail, attempt_outcome what, tracing::span& span);
    task<void> write(std::vector<pg::statement> segment, pg::traced how);
    task<std::vector<pg::rows>> run(std::vector<pg::statement> segment, pg::traced how = {});
    [[nodiscard]] bool has_time(coarse_clock::time_point leased_at) const;

    pg::pipeline& connection_;
    mail_settings settings_;
    tracing::tracer const* tracer_;
    std::unique_ptr<mail_transport> transport_;
    mail_metrics counts_;
    std::mt19937_64 random_{std::random_device{}()};
    bool stopped_{false};
    bool closed_{false};
};

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
