// The checks of what the workers keep up: partitions, seals, queues. Pure.
#include "recruitctl/doctor/database.hpp"

namespace recruiting::recruitctl::doctor {
namespace {

constexpr std::int64_t sealer_lags = 60; // seconds: it works every second
constexpr std::int64_t sealer_stands = 600;
constexpr std::int64_t seal_is_due = 10;
constexpr std::int64_t mails_late = 900;
constexpr std::int64_t requests_late = 60;
constexpr std::int64_t requests_stand = 600;
constexpr std::int64_t reports_late = 600;

constexpr auto workers_mend =
    "look at the log of auth-api; RECRUITING_AUTH_API_WORKERS must be true in one instance at least";

std::string minutes(std::int64_t seconds) {
    return seconds < 120 ? counted(seconds, "second") : counted(seconds / 60, "minute");
}

finding check_table(table_partitions const& of, std::string const& table) {
    auto const check = "partitions." + table;
    auto const* const mend = "recruitctl migrate makes them; a running auth-api does every hour";
    if (!of.now)
        return problem(
            check, "recruiting." + table + " has no partition of now: requests fail, for they can't be audited", mend);
    if (of.soon_missing)
        return warning(check, "the partitions of recruiting." + table + " end in " + counted(of.days_ahead, "day"),
                       mend);
    if (!of.too_old.empty())
        return warning(check, "recruiting." + of.too_old + " is older than the retention",
                       std::string("RECRUITING_AUTH_API_AUDIT_RETENTION; ") + workers_mend);
    return ok(check, of.first + " to " + of.last);
}

finding check_lag(sealer_facts const& of) {
    auto const* const check = "sealer.lag";
    if (of.unsealed_seconds > sealer_lags) {
        auto const text = "an audit row waits for its seal since " + minutes(of.unsealed_seconds);
        auto const mend = std::string("a transaction that is open so long, or no sealer: ") + workers_mend;
        return of.unsealed_seconds > sealer_stands ? problem(check, text, mend) : warning(check, text, mend);
    }
    // Of very many rows only some are read: the chains show as well whether sealing goes on.
    if (of.unsealed_seconds > seal_is_due && of.last_seal_seconds > sealer_lags)
        return problem(check,
                       "audit rows wait for their seals, and none was sealed for " + minutes(of.last_seal_seconds),
                       std::string("look for audit_sealer_failed in the log of auth-api; ") + workers_mend);
    if (of.last_seal_seconds < 0) return ok(check, "nothing was sealed yet, and nothing waits");
    return ok(check, "nothing waits long; last seal " + minutes(of.last_seal_seconds) + " ago");
}

} // namespace

findings check_partitions(observed<partition_facts> const& facts) {
    if (!facts.found) return {skipped("partitions.audit_log", facts.why)};
    return {check_table(facts.found->log, "audit_log"), check_table(facts.found->seals, "audit_seals")};
}

findings check_sealer(observed<sealer_facts> const& facts, std::optional<bool> elected) {
    if (!facts.found) return {skipped("sealer.lag", facts.why)};
    auto const& of = *facts.found;
    findings out{check_lag(of)};
    auto const held = of.elected ? of.elected : elected;
    if (!held)
        out.push_back(skipped("sealer.elected", "PostgreSQL's locks are hidden, and no auth-api told",
                              "--auth-api HOST:PORT, its admin address; or as a superuser GRANT pg_monitor"));
    else if (*held) out.push_back(ok("sealer.elected", "one auth-api seals"));
    else
        out.push_back(
            problem("sealer.elected", "no auth-api seals the audit log",
                    std::string("start auth-api; one that has just started needs some seconds; ") + workers_mend));
    for (auto const& wrong : of.wrong)
        out.push_back(
            problem("sealer.seals", wrong, "recruitctl audit verify tells all of it; keep a copy of the database"));
    if (of.checked == 0) out.push_back(ok("sealer.seals", "there are none yet"));
    else if (of.wrong.empty())
        out.push_back(ok("sealer.seals",
                         "the newest " + counted(of.checked, "seal") + " are right (all: recruitctl audit verify)"));
    return out;
}

findings check_queues(observed<queue_facts> const& facts) {
    if (!facts.found) return {skipped("queues.mail", facts.why)};
    auto const& of = *facts.found;
    findings out;
    if (of.mails_dead > 0)
        out.push_back(warning("queues.mail", counted(of.mails_dead, "mail") + " could not be sent and are set aside",
                              "recruitctl mail list --dead tells why; recruitctl mail resend --all-dead"));
    if (of.mails_due_seconds > mails_late)
        out.push_back(
            problem("queues.mail",
                    counted(of.mails_waiting, "mail") + " wait, the oldest is due for " + minutes(of.mails_due_seconds),
                    std::string("RECRUITING_MAIL_URL; ") + workers_mend));
    if (out.empty()) out.push_back(ok("queues.mail", counted(of.mails_waiting, "mail") + " waiting, none dead"));
    if (of.requests_tried_often > 0)
        out.push_back(warning("queues.booking",
                              counted(of.requests_tried_often, "booking request") + " failed again and again",
                              "look for booking_request_failed and booking_request_set_aside in the log of auth-api"));
    if (of.requests_oldest_seconds > requests_late && of.requests_tried_often < of.requests_waiting) {
        auto const text = "the oldest booking request waits since " + minutes(of.requests_oldest_seconds);
        out.push_back(of.requests_oldest_seconds > requests_stand ? problem("queues.booking", text, workers_mend)
                                                                  : warning("queues.booking", text, workers_mend));
    } else if (of.requests_tried_often == 0) {
        out.push_back(ok("queues.booking", counted(of.requests_waiting, "request") + " waiting"));
    }
    if (of.runs_overdue > 0)
        out.push_back(problem(
            "queues.agent", counted(of.runs_overdue, "run") + " of the agent lost their process and nobody ended them",
            workers_mend));
    else out.push_back(ok("queues.agent", counted(of.runs_in_progress, "run") + " in progress, none overdue"));
    if (of.exposures_waiting_seconds > reports_late)
        out.push_back(problem("queues.exposure",
                              "reports of exposed keys wait since " + minutes(of.exposures_waiting_seconds),
                              workers_mend));
    else out.push_back(ok("queues.exposure", "no report of an exposed key waits long"));
    return out;
}

findings check_exposure_key(observed<std::string> const& published, std::string_view key) {
    auto const* const check = "secrets.pepper-in-use";
    if (!published.found) return {skipped(check, published.why)};
    if (key.empty()) return {skipped(check, "recruitctl has no pepper", "RECRUITING_KEY_PEPPER_FILE")};
    if (published.found->empty()) return {skipped(check, "no auth-api with workers ran on this database yet")};
    if (*published.found == key) return {ok(check, "the pepper is the one auth-api runs with on this database")};
    return {problem(check,
                    "auth-api runs on this database with another pepper: keys made by this recruitctl are refused",
                    "let RECRUITING_KEY_PEPPER_FILE name the same file for recruitctl and every auth-api")};
}

} // namespace recruiting::recruitctl::doctor
