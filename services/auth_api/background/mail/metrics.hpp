// What operators see of the mails.
#pragma once
#include "auth_api/background/mail/outbox_store.hpp"
#include "telemetry/metrics.hpp"

namespace recruiting::auth_api::mailing {

struct mail_metrics {
    explicit mail_metrics(metrics::registry& metrics)
        : sent(attempts(metrics, "sent")), delayed(attempts(metrics, "delayed")), dead(attempts(metrics, "dead")),
          held_back(metrics.add_counter("recruiting_mail_held_back_total",
                                        "Mails that wait for the next UTC day, because their recipient has had as many "
                                        "as RECRUITING_MAIL_PER_RECIPIENT allows.")),
          waiting_now(metrics.add_gauge("recruiting_mail_waiting",
                                        "Mails that wait to be sent; no value while the outbox can't be looked at.")),
          dead_now(metrics.add_gauge("recruiting_mail_dead",
                                     "Mails set aside as dead; no value while the outbox can't be looked at.")),
          oldest(metrics.add_gauge("recruiting_mail_oldest_waiting_age_seconds",
                                   "Age of the oldest mail that waits, 0 for none; no value as above.")) {
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
        return metrics.add_counter("recruiting_mail_attempts_total", "Attempts of this process to send a mail.",
                                   "outcome=\"" + outcome + "\"");
    }
};

} // namespace recruiting::auth_api::mailing
