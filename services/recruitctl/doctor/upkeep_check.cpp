// The checks of what the workers keep up (partitions, seals, queues), and of what keeps them from it. Pure.
#include "recruitctl/doctor/database.hpp"

namespace recruiting::recruitctl::doctor {
namespace {

constexpr std::int64_t sealer_lags = 60; // seconds: it works every second
constexpr std::int64_t sealer_stands = 600;
constexpr std::int64_t mails_late = 900;
constexpr std::int64_t requests_late = 60;
constexpr std::int64_t requests_stand = 600;
constexpr std::int64_t reports_late = 600;

constexpr auto workers_mend =
    "check the log of auth-api; RECRUITING_AUTH_API_WORKERS must be true in at least one instance";

std::string minutes(std::int64_t seconds) {
    return seconds < 120 ? counted(seconds, "second") : counted(seconds / 60, "minute");
}

finding check_lag(sealer_facts const& of) {
    auto const* const check = "sealer.lag";
    if (of.unsealed_seconds > sealer_lags) {
        auto const text = "an audit row has waited to be sealed since " + minutes(of.unsealed_seconds);
        auto const fix = std::string("look for audit_sealer_failed in the log of auth-api; ") + workers_mend;
        return of.unsealed_seconds > sealer_stands ? problem(check, text, fix) : warning(check, text, fix);
    }
    if (of.last_seal_seconds < 0) return ok(check, "no row is sealed yet, and none waits");
    return ok(check, "no row waits long; last seal " + minutes(of.last_seal_seconds) + " ago");
}

} // namespace

findings check_partitions(observed<table_partitions> const& facts) {
    auto const* const check = "partitions.audit_log";
    auto const* const fix = "recruitctl migrate creates them; a running auth-api does so every 15 seconds";
    if (!facts.found) return {skipped(check, facts.why)};
    auto const& of = *facts.found;
    if (!of.now) return {problem(check, "recruiting.audit_log has no current partition: rows wait to be sealed", fix)};
    if (of.soon_missing)
        return {warning(check, "the partitions of recruiting.audit_log end in " + counted(of.days_ahead, "day"), fix)};
    if (!of.too_old.empty())
        return {warning(check, "recruiting." + of.too_old + " is older than the retention",
                        std::string("RECRUITING_AUTH_API_AUDIT_RETENTION; ") + workers_mend)};
    return {ok(check, of.first + " to " + of.last)};
}

findings check_sealer(observed<sealer_facts> const& facts) {
    if (!facts.found) return {skipped("sealer.lag", facts.why)};
    auto const& of = *facts.found;
    findings out{check_lag(of)};
    if (of.set_aside > 0)
        out.push_back(problem("sealer.dead-letters",
                              counted(of.set_aside, "group") + " of audit rows contain what no service writes",
                              "read recruiting.audit_set_aside: someone else may have recruiting_auth's password"));
    for (auto const& wrong : of.wrong)
        out.push_back(
            problem("sealer.chains", wrong, "recruitctl audit verify reports all of it; keep a copy of the database"));
    if (of.checked == 0) out.push_back(ok("sealer.chains", "no row is sealed yet"));
    else if (of.wrong.empty())
        out.push_back(ok("sealer.chains", "the newest " + counted(of.checked, "row") +
                                              " are as they were sealed (all: recruitctl audit verify)"));
    return out;
}

findings check_queues(observed<queue_facts> const& facts) {
    if (!facts.found) return {skipped("queues.mail", facts.why)};
    auto const& of = *facts.found;
    findings out;
    if (of.mails_dead > 0)
        out.push_back(warning("queues.mail", counted(of.mails_dead, "mail") + " could not be sent and are dead letters",
                              "recruitctl mail list --dead reports the reasons; recruitctl mail resend --all-dead"));
    if (of.mails_due_seconds > mails_late)
        out.push_back(
            problem("queues.mail",
                    counted(of.mails_waiting, "mail") + " wait, the oldest is due for " + minutes(of.mails_due_seconds),
                    std::string("RECRUITING_MAIL_URL; ") + workers_mend));
    if (out.empty()) out.push_back(ok("queues.mail", counted(of.mails_waiting, "mail") + " waiting, none dead"));
    if (of.requests_tried_often > 0)
        out.push_back(
            warning("queues.booking", counted(of.requests_tried_often, "booking request") + " failed repeatedly",
                    "look for booking_request_failed and booking_request_dead_lettered in the log of auth-api"));
    if (of.requests_oldest_seconds > requests_late && of.requests_tried_often < of.requests_waiting) {
        auto const text = "the oldest booking request waits since " + minutes(of.requests_oldest_seconds);
        out.push_back(of.requests_oldest_seconds > requests_stand ? problem("queues.booking", text, workers_mend)
                                                                  : warning("queues.booking", text, workers_mend));
    } else if (of.requests_tried_often == 0) {
        out.push_back(ok("queues.booking", counted(of.requests_waiting, "request") + " waiting"));
    }
    if (of.runs_overdue > 0)
        out.push_back(problem("queues.agent",
                              counted(of.runs_overdue, "run") + " of the agent lost their process and were not ended",
                              workers_mend));
    else out.push_back(ok("queues.agent", counted(of.runs_in_progress, "run") + " in progress, none overdue"));
    if (of.exposures_waiting_seconds > reports_late)
        out.push_back(problem("queues.exposure",
                              "reports of exposed keys have waited since " + minutes(of.exposures_waiting_seconds),
                              workers_mend));
    else out.push_back(ok("queues.exposure", "no report of an exposed key waits long"));
    return out;
}

findings check_exposure_key(observed<std::string> const& published, std::string_view key) {
    auto const* const check = "secrets.pepper-in-use";
    if (!published.found) return {skipped(check, published.why)};
    if (key.empty()) return {skipped(check, "recruitctl has no pepper", "RECRUITING_KEY_PEPPER_FILE")};
    if (published.found->empty()) return {skipped(check, "no auth-api with workers ran on this database yet")};
    if (*published.found == key) return {ok(check, "auth-api uses the same pepper on this database")};
    return {problem(check,
                    "auth-api uses another pepper on this database: keys created by this recruitctl are rejected",
                    "give recruitctl and every auth-api the same RECRUITING_KEY_PEPPER_FILE")};
}

} // namespace recruiting::recruitctl::doctor
