#include "auth_api/background/tasks.hpp"

#include "auth_api/background/booking/store.hpp"
#include "core/log.hpp"
#include "mail/meeting_url.hpp"
#include "pg/periodic_task.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <vector>

namespace recruiting::auth_api::booking {
namespace {

// Each time somebody else was quicker; more than a few in a row is no race but a fault.
constexpr int most_attempts = 5;

// Somebody else took the slot or booked for this application, the slot was closed, or two waited for each other
// (PostgreSQL appendix A): what is true now decides.
bool was_outrun(pg::query_error const& error) {
    return error.sqlstate() == pg::exclusion_violation || error.sqlstate() == pg::unique_violation ||
           (error.sqlstate() == pg::check_violation && error.constraint() == "bookings_slot_open") ||
           error.sqlstate() == pg::deadlock_detected;
}

std::array<metrics::counter*, 4> make_outcomes(metrics::registry& metrics) {
    std::array<metrics::counter*, 4> out{};
    constexpr std::array<char const*, 4> names = {"discarded", "confirmed", "slot_taken", "reminded"};
    for (std::size_t i = 0; i < names.size(); ++i)
        out[i] = &metrics.add_counter("recruiting_booking_requests_total", "Booking requests processed.",
                                      "outcome=\"" + std::string(names[i]) + "\"");
    return out;
}

struct booking_task final : pg::periodic_task {
    booking_task(asio::io_context& context, pg::pipeline& c, booking_settings s, metrics::registry& metrics,
                 tracing::tracer const* t)
        : pg::periodic_task(context, c), settings(std::move(s)), tracer(t), outcomes(make_outcomes(metrics)),
          failures(
              metrics.add_counter("recruiting_booking_failures_total", "Attempts at a booking request that failed.")),
          dead_lettered(metrics.add_counter("recruiting_booking_requests_dead_lettered_total",
                                            "Booking requests that failed too often and are not retried.")),
          oldest(metrics.add_gauge("recruiting_booking_oldest_request_age_seconds",
                                   "Age of the oldest booking request not processed yet, 0 for none; no value while "
                                   "they can't be queried.")) {
        oldest.forget();
    }

    task<std::chrono::milliseconds> round() override;
    std::chrono::milliseconds failed(std::exception const& error) override;
    std::chrono::milliseconds until_next_round();
    task<void> process(request asked);
    task<void> decide_until_written(request const& asked, tracing::span& span);
    task<bool> write(request const& asked, decision const& what, tracing::parent under);
    task<void> bound_kept();
    void observe(leased_batch const& batch);

    booking_settings settings;
    tracing::tracer const* tracer;
    coarse_clock::time_point next{coarse_clock::now()};
    std::set<uuid> keeping;                    // organizations for which more was kept since that was bounded
    std::array<metrics::counter*, 4> outcomes; // in the order of act
    metrics::counter& failures;
    metrics::counter& dead_lettered;
    metrics::gauge& oldest;
};

std::chrono::milliseconds booking_task::failed(std::exception const& error) {
    oldest.forget();
    pg::log_failed_round("booking_round_failed", error);
    return until_next_round();
}

// Rounds begin at fixed times, however long each takes.
std::chrono::milliseconds booking_task::until_next_round() {
    auto const now = coarse_clock::now();
    next = std::max(next + settings.interval, now);
    return std::chrono::ceil<std::chrono::milliseconds>(next - now);
}

// A full batch is followed by the next at once.
task<std::chrono::milliseconds> booking_task::round() {
    auto leasing = lease_requests(settings);
    auto const answer = co_await run(std::move(leasing));
    auto const batch = read_leased(answer);
    observe(batch);
    for (auto const& asked : batch.requests) co_await process(asked);
    co_await bound_kept();
    if (batch.size() >= settings.batch) co_return std::chrono::milliseconds{0};
    co_return until_next_round();
}

// What one request's statement fails of is its own: it is tried again when its lease has run out, and the others go on.
task<void> booking_task::process(request asked) {
    auto span = tracing::root_span(tracer, tracing::span_kind::consumer, "work off booking request");
    try {
        co_await decide_until_written(asked, span);
    } catch (pg::query_error const& error) {
        span.fail(error.sqlstate());
        if (is_stopped()) throw outage("stopped");
        failures.add();
        log::warning("booking_request_failed", {{"bookingRequestId", to_string(asked.id)},
                                                {"sqlstate", error.sqlstate()},
                                                {"constraint", error.constraint()}});
    }
}

task<void> booking_task::decide_until_written(request const& asked, tracing::span& span) {
    auto const trace = span.or_parent({});
    pg::traced const how{trace, "read facts"};
    for (int attempt = 0; attempt < most_attempts; ++attempt) {
        auto reading = select_facts(asked);
        auto const answer = co_await run(std::move(reading), how);
        auto const known = read_facts(answer);
        if (!known) co_return; // the lease had run out: somebody else has worked it off
        auto const what = decide(asked, *known, settings.repeat_window);
        bool const written = co_await write(asked, what, trace);
        if (!written) continue;
        outcomes.at(static_cast<std::size_t>(what.act))->add();
        co_return;
    }
    failures.add();
    span.fail("outrun");
    log::warning("booking_request_outrun", {{"bookingRequestId", to_string(asked.id)}});
}

// False: something has changed since the facts were read.
task<bool> booking_task::write(request const& asked, decision const& what, tracing::parent under) {
    pg::traced const how{under, "write decision"};
    // An interview that needs no room now gets one too: its link may move it to a slot that names no place.
    auto const room = mail::room_url(settings.room_url, random_id());
    bool const keeps = !what.application && settings.most_unmatched > 0;
    auto writing = write_decision(asked, what, room, keeps);
    try {
        auto const answer = co_await run(std::move(writing), how);
        if (keeps) keeping.insert(asked.organization_id);
        co_return read_written(answer);
    } catch (pg::query_error const& error) {
        if (!was_outrun(error)) throw;
    }
    if (is_stopped()) throw outage("stopped");
    co_return false;
}

// Once a batch: of a thousand rows it costs PostgreSQL milliseconds.
task<void> booking_task::bound_kept() {
    if (keeping.empty()) co_return;
    std::vector<uuid> const organizations(keeping.begin(), keeping.end());
    auto bounding = bound_unmatched(organizations, settings.most_unmatched);
    co_await run(std::move(bounding));
    keeping.clear();
}

void booking_task::observe(leased_batch const& batch) {
    using std::chrono::seconds;
    auto const age = batch.oldest ? batch.now - *batch.oldest : timestamp::duration{0};
    oldest.set(std::max<std::int64_t>(0, std::chrono::duration_cast<seconds>(age).count()));
    for (auto const& id : batch.dead_lettered) {
        dead_lettered.add();
        log::error("booking_request_dead_lettered", {{"bookingRequestId", to_string(id)}});
    }
}

} // namespace

task_owner start_worker(asio::io_context& context, pg::pipeline& connection, booking_settings settings,
                        metrics::registry& metrics, tracing::tracer const* tracer) {
    return task_owner(std::make_shared<booking_task>(context, connection, std::move(settings), metrics, tracer));
}

} // namespace recruiting::auth_api::booking
