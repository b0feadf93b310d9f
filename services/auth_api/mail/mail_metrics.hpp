// What operators see of the mails.
#pragma once
#include "auth_api/mail/outbox_store.hpp"
#include "telemetry/metrics.hpp"

namespace recruiting::auth_api::mailing {

struct mail_metrics {
    explicit mail_metrics(metrics::registry& metrics)
        : sent(attempts(metrics, "sent")), delayed(attempts(metrics, "delayed")), dead(attempts(metrics, "dead")),
          waiting_now(metrics.add_gauge("recruiting_mail_waiting", "Mails that wait to be sent.")),
          dead_now(metrics.add_gauge("recruiting_mail_dead", "Mails set aside as dead.")),
          oldest(
              metrics.add_gauge("recruiting_mail_oldest_waiting_age_seconds", "Age of the oldest mail that waits.")) {}

    void observe(outbox_state const& now) {
        waiting_now.set(now.waiting);
        dead_now.set(now.dead);
        oldest.set(now.oldest.count());
    }

    metrics::counter& sent;
    metrics::counter& delayed;
    metrics::counter& dead;
    metrics::gauge& waiting_now;
    metrics::gauge& dead_now;
    metrics::gauge& oldest;

private:
    static metrics::counter& attempts(metrics::registry& metrics, std::string const& outcome) {
        return metrics.add_counter("recruiting_mail_attempts_total", "Attempts of this process to send a mail.",
                                   "outcome=\"" + outcome + "\"");
    }
};

} // namespace recruiting::auth_api::mailing
